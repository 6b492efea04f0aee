// What the program's exit code tells a script.
#ifndef TESSERA_CLIENT_CLI_EXIT_CODES_H_
#define TESSERA_CLIENT_CLI_EXIT_CODES_H_

namespace tessera::cli {

enum ExitCode : int {
  kExitOk = 0,
  kExitRowsFailed = 1,   // the call succeeded, at least one row did not
  kExitUsage = 2,        // a flag or a file is wrong; nothing was sent
  kExitServerError = 3,  // the server refused the call or was not reached
};

inline constexpr char kExitCodesHelp[] =
    "Exit codes: 0 all rows sampled, 1 some rows failed, 2 a flag or file is wrong, 3 the server\n"
    "refused the call or was not reached.\n";

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_EXIT_CODES_H_

// Tells on stderr why the program ends without a result.
#ifndef TESSERA_CLIENT_CLI_FAILURE_H_
#define TESSERA_CLIENT_CLI_FAILURE_H_

#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/cli/exit_codes.h"

namespace tessera::cli {

// Prints `status` and returns `code`. A server's code is part of the message, a file's is noise.
inline ExitCode Fail(ExitCode code, const absl::Status& status) {
  const std::string kind = code == kExitServerError
                               ? absl::StrCat(absl::StatusCodeToString(status.code()), ": ")
                               : std::string();
  std::fprintf(stderr, "tessera: %s%s\n", kind.c_str(), std::string(status.message()).c_str());
  return code;
}

// A wrong command line: also points to the help.
inline ExitCode FailUsage(absl::string_view subcommand, const absl::Status& status) {
  std::fprintf(stderr, "tessera %s: %s\nTry: tessera %s --help\n", std::string(subcommand).c_str(),
               std::string(status.message()).c_str(), std::string(subcommand).c_str());
  return kExitUsage;
}

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_FAILURE_H_

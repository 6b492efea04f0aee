// `tessera explain --verify`: how drafts were accepted or rejected, test by test.
#ifndef TESSERA_CLIENT_CLI_VERIFY_COMMAND_H_
#define TESSERA_CLIENT_CLI_VERIFY_COMMAND_H_

#include "client/cli/connection_flags.h"
#include "client/cli/exit_codes.h"
#include "client/cli/explain_flags.h"
#include "client/cli/verify_flags.h"

namespace tessera::cli {

// `row` holds what a verification shares with the explanation of a chain: the chain, the seed, the
// masks and how to report.
ExitCode ExplainVerification(const VerifyFlags& verify, const ExplainFlags& row,
                             const ConnectionFlags& connection);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_VERIFY_COMMAND_H_

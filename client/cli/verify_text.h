// A verification as text for a terminal, test by test.
#ifndef TESSERA_CLIENT_CLI_VERIFY_TEXT_H_
#define TESSERA_CLIENT_CLI_VERIFY_TEXT_H_

#include <string>

#include "client/cli/terminal.h"
#include "client/cli/token_names.h"
#include "tessera/v1/verification.pb.h"

namespace tessera::cli {

// Every sequence of a response that was asked to explain.
std::string VerificationText(const v1::VerifyDraftsRequest& request,
                             const v1::VerifyDraftsResponse& response, const TokenNames& names,
                             const Terminal& terminal);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_VERIFY_TEXT_H_

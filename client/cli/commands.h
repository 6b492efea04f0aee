// The subcommands of the `tessera` program.
#ifndef TESSERA_CLIENT_CLI_COMMANDS_H_
#define TESSERA_CLIENT_CLI_COMMANDS_H_

#include <string>

#include "absl/types/span.h"
#include "client/cli/exit_codes.h"

namespace tessera::cli {

// Each takes what follows its name on the command line, writes results to stdout and everything
// else to stderr.
ExitCode RunSample(absl::Span<const std::string> arguments);
ExitCode RunExplain(absl::Span<const std::string> arguments);
ExitCode RunInfo(absl::Span<const std::string> arguments);
ExitCode RunLoad(absl::Span<const std::string> arguments);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_COMMANDS_H_

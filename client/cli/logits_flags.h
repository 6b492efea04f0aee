// The flags that name a file of logits.
#ifndef TESSERA_CLIENT_CLI_LOGITS_FLAGS_H_
#define TESSERA_CLIENT_CLI_LOGITS_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "client/cli/flags.h"
#include "client/cli/logits_file.h"

namespace tessera::cli {

struct LogitsFlags {
  std::string path;
  LogitsFileLayout layout;

  void Declare(Flags* flags);

  // What no single flag can know. InvalidArgument.
  absl::Status Check() const;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_LOGITS_FLAGS_H_

// The flags that every subcommand has: which server, how long to wait, how often to try.
#ifndef TESSERA_CLIENT_CLI_CONNECTION_FLAGS_H_
#define TESSERA_CLIENT_CLI_CONNECTION_FLAGS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "client/cli/flags.h"
#include "client/client.h"

namespace tessera::cli {

struct ConnectionFlags {
  std::string server = "localhost:50051";
  double deadline_seconds = 30;
  int64_t attempts = 4;

  void Declare(Flags* flags);  // without --attempts
  void DeclareAttempts(Flags* flags);

  ClientOptions Options() const;
  absl::StatusOr<Client> Connect() const;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_CONNECTION_FLAGS_H_

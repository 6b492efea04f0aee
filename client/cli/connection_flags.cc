// The flags that every subcommand has.
#include "client/cli/connection_flags.h"

#include "absl/time/time.h"

namespace tessera::cli {

void ConnectionFlags::Declare(Flags* flags) {
  flags->Section("Connection");
  flags->Text("server", "ADDRESS", &server, "host:port or unix:/path of tesserad");
  flags->Seconds("deadline", 3600, &deadline_seconds, "longest wait for a call, retries included");
}

void ConnectionFlags::DeclareAttempts(Flags* flags) {
  flags->Integer("attempts", 1, 100, &attempts,
                 "how often to try a call while the server is unavailable");
}

ClientOptions ConnectionFlags::Options() const {
  ClientOptions options;
  options.deadline = absl::Seconds(deadline_seconds);
  options.retry.max_attempts = static_cast<int>(attempts);
  options.max_request_bytes = 1 << 30;
  return options;
}

absl::StatusOr<Client> ConnectionFlags::Connect() const {
  return Client::Connect(server, Options());
}

}  // namespace tessera::cli

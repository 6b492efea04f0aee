// `tessera info`: what a server implements, on what, and its limits.
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/cli/commands.h"
#include "client/cli/connection_flags.h"
#include "client/cli/failure.h"
#include "client/cli/info_report.h"

namespace tessera::cli {
namespace {

constexpr char kIntroduction[] =
    R"(Tells what a server implements, what it computes on, and its limits.

  tessera info --server localhost:50051
  tessera info --json | jq .limits.max_unary_bytes
)";

}  // namespace

ExitCode RunInfo(absl::Span<const std::string> arguments) {
  ConnectionFlags connection;
  bool as_json = false;
  Flags flags;
  connection.Declare(&flags);
  connection.DeclareAttempts(&flags);
  flags.Section("Report");
  flags.Switch("json", &as_json, "one line of JSON, keys as in GetCapabilitiesResponse");
  const absl::Status status = flags.Parse(arguments);
  if (flags.help_wanted()) {
    std::fputs(absl::StrCat(kIntroduction, flags.Help(), "\n", kExitCodesHelp).c_str(), stdout);
    return kExitOk;
  }
  if (!status.ok()) return FailUsage("info", status);
  absl::StatusOr<Client> client = connection.Connect();
  if (!client.ok()) return Fail(kExitUsage, client.status());
  absl::StatusOr<v1::GetCapabilitiesResponse> capabilities = client->GetCapabilities();
  if (!capabilities.ok()) return Fail(kExitServerError, capabilities.status());
  std::fputs((as_json ? InfoJson(*capabilities) : InfoText(*capabilities)).c_str(), stdout);
  return kExitOk;
}

}  // namespace tessera::cli

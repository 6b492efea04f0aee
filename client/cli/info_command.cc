// `tessera info`: what a server implements, on what, and its limits.
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/cli/commands.h"
#include "client/cli/connection_flags.h"
#include "client/cli/failure.h"
#include "client/cli/info_report.h"
#include "client/cli/preset_report.h"

namespace tessera::cli {
namespace {

constexpr char kIntroduction[] =
    R"(Tells what a server implements, what it computes on, and its limits.

  tessera info --server localhost:50051
  tessera info --preset vllm-torch         (parameters of a preset, their defaults and ranges)
  tessera info --json | jq .limits.max_unary_bytes
)";

}  // namespace

ExitCode RunInfo(absl::Span<const std::string> arguments) {
  ConnectionFlags connection;
  bool as_json = false;
  std::string preset;
  Flags flags;
  connection.Declare(&flags);
  connection.DeclareAttempts(&flags);
  flags.Section("Report");
  flags.Switch("json", &as_json, "one line of JSON, keys as in GetCapabilitiesResponse");
  flags.Text("preset", "NAME", &preset, "the parameters of one preset, and nothing else");
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
  if (!preset.empty()) {
    absl::StatusOr<std::string> text = PresetText(*capabilities, preset);
    if (!text.ok()) return Fail(kExitUsage, text.status());
    std::fputs(text->c_str(), stdout);
    return kExitOk;
  }
  std::fputs((as_json ? InfoJson(*capabilities) : InfoText(*capabilities)).c_str(), stdout);
  return kExitOk;
}

}  // namespace tessera::cli

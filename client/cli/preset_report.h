// Prints the presets that a server can expand.
#ifndef TESSERA_CLIENT_CLI_PRESET_REPORT_H_
#define TESSERA_CLIENT_CLI_PRESET_REPORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/cli/json_writer.h"
#include "tessera/v1/capabilities.pb.h"

namespace tessera::cli {

// What a preset follows and its parameters, one a line. InvalidArgument lists the names there are.
absl::StatusOr<std::string> PresetText(const v1::GetCapabilitiesResponse& capabilities,
                                       absl::string_view name);

// The key "presets" and its array, keys as in the proto.
void WritePresets(const v1::GetCapabilitiesResponse& capabilities, JsonWriter* json);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_PRESET_REPORT_H_

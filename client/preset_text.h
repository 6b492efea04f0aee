// Presets as a person types them: "preset:vllm-torch,temperature=0.8,top_p=0.9".
#ifndef TESSERA_CLIENT_PRESET_TEXT_H_
#define TESSERA_CLIENT_PRESET_TEXT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {

// Whether the text names a preset, and not stages.
bool IsPresetText(absl::string_view text);

// The preset's name and then its parameters under the engine's own names. A value that reads as a
// number is one; any other is a text. Which there are is the server's to know.
//
// InvalidArgument names the parameter, its position and what is accepted.
absl::StatusOr<v1::EnginePreset> ParsePreset(absl::string_view text);

}  // namespace tessera

#endif  // TESSERA_CLIENT_PRESET_TEXT_H_

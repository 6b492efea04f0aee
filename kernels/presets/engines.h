// The presets, engine by engine: each function is in a file named after the engine.
#ifndef TESSERA_KERNELS_PRESETS_ENGINES_H_
#define TESSERA_KERNELS_PRESETS_ENGINES_H_

#include <vector>

#include "absl/status/status.h"
#include "kernels/presets/preset.h"
#include "kernels/presets/values.h"

namespace tessera {

struct Preset {
  PresetDescription description;
  // Fills in the chain, whether it is greedy, and the notes. Refuses what the list of parameters
  // cannot: values that do not go together, and rules that cannot be offered.
  absl::Status (*expand)(const PresetValues& values, ExpandedPreset* expanded);
};

std::vector<Preset> VllmPresets();
std::vector<Preset> HfTransformersPresets();
std::vector<Preset> LlamaCppPresets();
std::vector<Preset> SglangPresets();
std::vector<Preset> TrtLlmPresets();
std::vector<Preset> TrtLlmCppPresets();
std::vector<Preset> TgiPresets();
std::vector<Preset> MlcPresets();
std::vector<Preset> ExLlamaV2Presets();
std::vector<Preset> ExLlamaV3Presets();
std::vector<Preset> PlainPresets();  // openai, numpy-descending
std::vector<Preset> NativePresets();
std::vector<Preset> TrtMcPresets();

}  // namespace tessera

#endif  // TESSERA_KERNELS_PRESETS_ENGINES_H_

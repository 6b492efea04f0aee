// llama.cpp's list of samplers, turned into a chain.
#ifndef TESSERA_KERNELS_PRESETS_LLAMACPP_SAMPLERS_H_
#define TESSERA_KERNELS_PRESETS_LLAMACPP_SAMPLERS_H_

#include "absl/status/status.h"
#include "kernels/presets/preset.h"
#include "kernels/presets/values.h"

namespace tessera {

// What `samplers` lists, for a preset without mirostat.
absl::Status ExpandSamplers(const PresetValues& values, ExpandedPreset* expanded);

}  // namespace tessera

#endif  // TESSERA_KERNELS_PRESETS_LLAMACPP_SAMPLERS_H_

// What a preset does, for ExplainChain.
#ifndef TESSERA_SERVICE_EXPLAIN_PRESET_H_
#define TESSERA_SERVICE_EXPLAIN_PRESET_H_

#include "kernels/presets/preset.h"
#include "tessera/v1/explain.pb.h"

namespace tessera {

v1::PresetExplanation ExplainPreset(const ExpandedPreset& preset);

}  // namespace tessera

#endif  // TESSERA_SERVICE_EXPLAIN_PRESET_H_

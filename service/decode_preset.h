// Turns a client's preset into the chain that it stands for.
#ifndef TESSERA_SERVICE_DECODE_PRESET_H_
#define TESSERA_SERVICE_DECODE_PRESET_H_

#include "absl/status/statusor.h"
#include "kernels/presets/preset.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {

// InvalidArgument, its message beginning with "preset": an unknown name, a parameter that the
// preset does not know, does not offer or finds out of range.
absl::StatusOr<ExpandedPreset> DecodePreset(const v1::EnginePreset& preset);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_PRESET_H_

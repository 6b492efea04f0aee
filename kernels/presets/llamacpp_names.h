// The samplers that llama.cpp's list may name.
#ifndef TESSERA_KERNELS_PRESETS_LLAMACPP_NAMES_H_
#define TESSERA_KERNELS_PRESETS_LLAMACPP_NAMES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "kernels/presets/values.h"

namespace tessera {

enum class LlamaSampler {
  kPenalties,
  kDry,
  kTopNSigma,
  kTopK,
  kTypical,
  kTopP,
  kMinP,
  kXtc,
  kTemperature,
  kAdaptive,
};

// The value of `samplers`: "top_k;temperature", "top-k;temp" or "kt". A text that is one name is
// that name.
absl::StatusOr<std::vector<LlamaSampler>> ReadSamplers(const PresetValues& values);

}  // namespace tessera

#endif  // TESSERA_KERNELS_PRESETS_LLAMACPP_NAMES_H_

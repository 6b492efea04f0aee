// A watermark that a green list leaves (Kirchenbauer et al. 2023): about a share gamma of the
// vocabulary, chosen anew by the last context_width ids of prompt and output, gets y + delta. Who
// knows the key counts the green tokens of a text.
//
// With Philox4x32-10 as kernels/math/philox.h has it and h = key at first, the ids from the oldest
// on, i counting from 0, give
//
//   h = low 64 bits of Philox(key h, counter {id, i, 4, 0})
//
// and token v is green if word v % 4 of Philox(key h, counter {v / 4, 0, 4, 1}) is less than
// gamma * 2^32. A history shorter than context_width leaves no green list.
#ifndef TESSERA_KERNELS_STAGES_WATERMARK_H_
#define TESSERA_KERNELS_STAGES_WATERMARK_H_

#include <cmath>
#include <cstdint>

#include "kernels/stages/refusal.h"

namespace tessera {

inline constexpr uint32_t kMaxWatermarkWidth = 64;

struct Watermark {
  double gamma = 0.25;         // in (0, 1): the share of green tokens
  double delta = 2;            // finite in binary32; 0 is off
  uint64_t key = 15485863;     // secret to others
  uint32_t context_width = 1;  // in [0, 64]; 0: one green list for all histories
};

inline Refusal Check(const Watermark& stage) {
  if (!(stage.gamma > 0 && stage.gamma < 1)) {
    return {"watermark.gamma", stage.gamma, "above 0 and below 1"};
  }
  if (!std::isfinite(static_cast<float>(stage.delta))) {
    return {"watermark.delta", stage.delta, "finite in binary32 (0 is off)"};
  }
  if (stage.context_width > kMaxWatermarkWidth) {
    return {"watermark.context_width", static_cast<double>(stage.context_width), "at most 64"};
  }
  return {};
}

inline bool IsOff(const Watermark& stage) { return static_cast<float>(stage.delta) == 0; }

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_WATERMARK_H_

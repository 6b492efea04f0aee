// Quadratic smoothing: rewrites logits by their distance d = y - y_max (kalomaze 2024):
//
//   y' = y_max + f * d^2 * (s * d - k),   k = (3 - curve) / 2,   s = (curve - 1) / 2
//
// In binary32, d^2 first: where it overflows, at a distance of 2^64, the logit becomes the lowest
// finite one. Offered for curve in [1, 3], where it keeps the order of logits: beyond, a likelier
// token would become a less likely one.
#ifndef TESSERA_KERNELS_STAGES_SMOOTHING_H_
#define TESSERA_KERNELS_STAGES_SMOOTHING_H_

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct Smoothing {
  double factor = 0;  // f, in [0, 2^20]; 0 is off
  double curve = 1;   // in [1, 3]; 1 is the pure square
};

inline Refusal Check(const Smoothing& stage) {
  if (!(stage.factor >= 0 && stage.factor <= 0x1p20)) {
    return {"smoothing.factor", stage.factor, "in [0, 2^20] (0 is off)"};
  }
  if (stage.curve >= 1 && stage.curve <= 3) return {};
  return {"smoothing.curve", stage.curve, "in [1, 3], where smoothing keeps the order of logits"};
}

inline bool IsOff(const Smoothing& stage) { return static_cast<float>(stage.factor) == 0; }

inline Cut CutOf(const Smoothing& stage, float c) {
  return {.kind = Cut::Kind::kSmooth,
          .c = c,
          .value = stage.factor,
          .second = (3 - stage.curve) / 2,
          .third = (stage.curve - 1) / 2};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_SMOOTHING_H_

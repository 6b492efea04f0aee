// Adaptive-p draws tokens whose probability is near a target, which moves so that the mean of drawn
// probabilities meets it (MrJackSpade 2025, in llama.cpp). State (S, N) travels in the request and
// comes back; without one S = target / (1 - decay), N = 1 / (1 - decay).
//
//   a = clamp(2 * target - S / N, 0, 1)     x = |p - a| / 0.3     y' = 5 - 10 x^2 / (1 + x)
//   after the draw, with p the token's probability before the rewrite:
//   S' = p + decay * S,   N' = 1 + decay * N
//
// Rewrites logits; the draw that follows is at temperature 1. May not follow dynamic temperature or
// smoothing: a token's p is found again from its logit as the edits left it.
#ifndef TESSERA_KERNELS_STAGES_ADAPTIVE_P_H_
#define TESSERA_KERNELS_STAGES_ADAPTIVE_P_H_

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct AdaptiveP {
  double target = 0.5;  // in [0, 1]
  double decay = 0.9;   // in [0, 0.99]
};

inline Refusal Check(const AdaptiveP& stage) {
  if (!(stage.target >= 0 && stage.target <= 1)) {
    return {"adaptive_p.target", stage.target, "in [0, 1]"};
  }
  if (stage.decay >= 0 && stage.decay <= 0.99) return {};
  return {"adaptive_p.decay", stage.decay, "in [0, 0.99]"};
}

inline bool IsOff(const AdaptiveP&) { return false; }

inline Cut CutOf(const AdaptiveP& stage, float c) {
  return {.kind = Cut::Kind::kAdaptive, .c = c, .value = stage.target, .second = stage.decay};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_ADAPTIVE_P_H_

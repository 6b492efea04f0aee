// Top-a keeps the tokens whose probability is at least a * p_max^2 (BlinkDL 2021, in RWKV's
// samplers).
#ifndef TESSERA_KERNELS_STAGES_TOP_A_H_
#define TESSERA_KERNELS_STAGES_TOP_A_H_

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct TopA {
  double a = 0;  // in [0, 1]; 0 is off
};

inline Refusal Check(const TopA& stage) {
  if (stage.a >= 0 && stage.a <= 1) return {};
  return {"top_a.a", stage.a, "in [0, 1] (0 is off)"};
}

inline bool IsOff(const TopA& stage) { return stage.a == 0; }

inline Cut CutOf(const TopA& stage, float c) {
  return {.kind = Cut::Kind::kTopA, .c = c, .value = stage.a};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_TOP_A_H_

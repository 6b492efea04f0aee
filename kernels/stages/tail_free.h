// Tail-free sampling: walks down the sorted probabilities until their second differences, as shares
// of their sum, have reached z, and keeps one token more (Phenix 2019):
//
//   v_i = |p_i - 2 p_(i+1) + p_(i+2)|      kept: 1 + #{i : v_1 + ... + v_i <= z * sum of v}
//
// Fewer than three tokens have no second difference and are left alone. It needs the tokens in
// order, so a top-k of at most kMaxTailFree must stand before it.
#ifndef TESSERA_KERNELS_STAGES_TAIL_FREE_H_
#define TESSERA_KERNELS_STAGES_TAIL_FREE_H_

#include <cstdint>

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

inline constexpr uint32_t kMaxTailFree = 1024;  // tokens

struct TailFree {
  double z = 1;  // in [0, 1]; 1 is off
};

inline Refusal Check(const TailFree& stage) {
  if (stage.z >= 0 && stage.z <= 1) return {};
  return {"tail_free.z", stage.z, "in [0, 1] (1 is off)"};
}

inline bool IsOff(const TailFree& stage) { return stage.z == 1; }

inline Cut CutOf(const TailFree& stage, float c) {
  return {.kind = Cut::Kind::kTailFree, .c = c, .value = stage.z};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_TAIL_FREE_H_

// Typical-p keeps the tokens whose surprisal is nearest to the entropy H, until their probability
// reaches p (Meister et al. 2022). A token's deviation is |-ln p_x - H|; tokens of equal deviation,
// in units of 2^-20 bit, stay or go together, so what is kept is an interval of the order.
#ifndef TESSERA_KERNELS_STAGES_TYPICAL_P_H_
#define TESSERA_KERNELS_STAGES_TYPICAL_P_H_

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct TypicalP {
  double p = 1;                          // in [0, 1]; 1 is off, 0 keeps the smallest deviation
  Boundary boundary = Boundary::kReach;  // kReach (Hugging Face) or kExceed (llama.cpp)
};

inline Refusal Check(const TypicalP& stage) {
  if (!(stage.p >= 0 && stage.p <= 1)) return {"typical_p.p", stage.p, "in [0, 1] (1 is off)"};
  if (stage.boundary != Boundary::kWithin) return {};
  return {"typical_p.boundary", static_cast<double>(stage.boundary), "REACH or EXCEED"};
}

inline bool IsOff(const TypicalP& stage) { return stage.p == 1; }

inline Cut CutOf(const TypicalP& stage, float c) {
  return {.kind = Cut::Kind::kTypical, .boundary = stage.boundary, .c = c, .value = stage.p};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_TYPICAL_P_H_

// Min-p keeps the tokens at least m times as likely as the likeliest (Nguyen et al. 2024): weight
// at least ceil(m * 2^44).
#ifndef TESSERA_KERNELS_STAGES_MIN_P_H_
#define TESSERA_KERNELS_STAGES_MIN_P_H_

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct MinP {
  double m = 0;  // in [0, 1]; 0 is off, 1 keeps what weighs as much as the likeliest
};

inline Refusal Check(const MinP& stage) {
  if (stage.m >= 0 && stage.m <= 1) return {};
  return {"min_p.m", stage.m, "in [0, 1] (0 is off)"};
}

inline bool IsOff(const MinP& stage) { return stage.m == 0; }

inline Cut CutOf(const MinP& stage, float c) {
  return {.kind = Cut::Kind::kWeightOfMax, .c = c, .value = stage.m};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_MIN_P_H_

// Epsilon cutoff keeps the tokens whose probability is at least epsilon, and always the likeliest
// (Hewitt et al. 2022).
#ifndef TESSERA_KERNELS_STAGES_EPSILON_H_
#define TESSERA_KERNELS_STAGES_EPSILON_H_

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct EpsilonCutoff {
  double epsilon = 0;  // in [0, 1); 0 is off
};

inline Refusal Check(const EpsilonCutoff& stage) {
  if (stage.epsilon >= 0 && stage.epsilon < 1) return {};
  return {"epsilon_cutoff.epsilon", stage.epsilon, "in [0, 1) (0 is off)"};
}

inline bool IsOff(const EpsilonCutoff& stage) { return stage.epsilon == 0; }

inline Cut CutOf(const EpsilonCutoff& stage, float c) {
  return {.kind = Cut::Kind::kShare, .c = c, .value = stage.epsilon};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_EPSILON_H_

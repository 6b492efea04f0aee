// Top-n-sigma keeps the logits at most n standard deviations below the largest (Tang et al. 2024).
// The deviation is the population's, over the logits left.
#ifndef TESSERA_KERNELS_STAGES_TOP_N_SIGMA_H_
#define TESSERA_KERNELS_STAGES_TOP_N_SIGMA_H_

#include <cmath>

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct TopNSigma {
  double n = 0;  // in (0, 2^26), or 0: off
};

inline Refusal Check(const TopNSigma& stage) {
  if (stage.n >= 0 && stage.n < 0x1p26) return {};
  return {"top_n_sigma.n", stage.n, "in [0, 2^26) (0 is off)"};
}

inline bool IsOff(const TopNSigma& stage) { return stage.n == 0; }

inline Cut CutOf(const TopNSigma& stage, float c) {
  return {.kind = Cut::Kind::kSpread, .c = c, .value = stage.n};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_TOP_N_SIGMA_H_

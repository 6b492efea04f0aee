// Eta cutoff keeps the tokens whose probability is at least min(epsilon, sqrt(epsilon) * e^-H), H
// the entropy in nats of what is left, and always the likeliest (Hewitt et al. 2022).
#ifndef TESSERA_KERNELS_STAGES_ETA_H_
#define TESSERA_KERNELS_STAGES_ETA_H_

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct EtaCutoff {
  double epsilon = 0;  // in [0, 1); 0 is off
};

inline Refusal Check(const EtaCutoff& stage) {
  if (stage.epsilon >= 0 && stage.epsilon < 1) return {};
  return {"eta_cutoff.epsilon", stage.epsilon, "in [0, 1) (0 is off)"};
}

inline bool IsOff(const EtaCutoff& stage) { return stage.epsilon == 0; }

inline Cut CutOf(const EtaCutoff& stage, float c) {
  return {.kind = Cut::Kind::kEta, .c = c, .value = stage.epsilon};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_ETA_H_

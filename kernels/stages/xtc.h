// XTC, exclude top choices: with the given probability, of the tokens at least as likely as the
// threshold all but the least likely are removed, if there are two or more (p-e-w 2024). One coin a
// row, from the row's seed: all samples of a row share it, as they share the law.
#ifndef TESSERA_KERNELS_STAGES_XTC_H_
#define TESSERA_KERNELS_STAGES_XTC_H_

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct Xtc {
  double probability = 0;  // in [0, 1]; 0 is off
  double threshold = 0.1;  // in (0, 1]; above 0.5 it is off: two tokens cannot reach it
};

inline Refusal Check(const Xtc& stage) {
  if (!(stage.probability >= 0 && stage.probability <= 1)) {
    return {"xtc.probability", stage.probability, "in [0, 1] (0 is off)"};
  }
  if (stage.threshold > 0 && stage.threshold <= 1) return {};
  return {"xtc.threshold", stage.threshold, "in (0, 1] (above 0.5 is off)"};
}

inline bool IsOff(const Xtc& stage) { return stage.probability == 0 || stage.threshold > 0.5; }

inline Cut CutOf(const Xtc& stage, float c) {
  return {.kind = Cut::Kind::kExcludeTop,
          .c = c,
          .value = stage.threshold,
          .second = stage.probability};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_XTC_H_

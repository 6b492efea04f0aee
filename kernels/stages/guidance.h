// Classifier-free guidance (Sanchez et al. 2023): with u the same id's logit in the row's guidance
// row, that of a prompt without the condition,
//
//   fma(scale, y - u, u)
//
// 1 leaves the row as it is, more follows the condition further. An id that the guidance row holds
// at -inf is no candidate; NaN or +inf there makes the row invalid as its own would. On logits and
// not on log-probabilities: those only shift a row.
#ifndef TESSERA_KERNELS_STAGES_GUIDANCE_H_
#define TESSERA_KERNELS_STAGES_GUIDANCE_H_

#include <cmath>

#include "kernels/stages/refusal.h"

namespace tessera {

struct Guidance {
  double scale = 1;  // finite in binary32; 1 is off. The row needs RowInput::guidance_row
};

inline Refusal Check(const Guidance& stage) {
  if (std::isfinite(static_cast<float>(stage.scale))) return {};
  return {"guidance.scale", stage.scale, "finite in binary32 (1 is off)"};
}

inline bool IsOff(const Guidance& stage) { return static_cast<float>(stage.scale) == 1; }

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_GUIDANCE_H_

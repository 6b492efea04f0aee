// A sampler chain as a client asks for it: stages in order of application.
//
// Edits (bias, penalties) change logits; truncations (top-k, top-p, min-p) end the support;
// temperature changes how weight is measured. Edits may not follow a truncation. Masks are not
// stages: they belong to the row and always apply first (backend.h).
#ifndef TESSERA_KERNELS_CHAIN_H_
#define TESSERA_KERNELS_CHAIN_H_

#include <vector>

#include "kernels/stages/stages.h"
#include "kernels/steps.h"

namespace tessera {

struct Chain {
  std::vector<Stage> stages;  // at most kMaxStages
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CHAIN_H_

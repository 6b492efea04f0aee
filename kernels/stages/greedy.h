// Greedy takes the first key of the support that the stages before it left: the largest logit, ties
// by lower id. The same as temperature 0.
#ifndef TESSERA_KERNELS_STAGES_GREEDY_H_
#define TESSERA_KERNELS_STAGES_GREEDY_H_

#include "kernels/stages/refusal.h"

namespace tessera {

struct Greedy {};

inline Refusal Check(const Greedy&) { return {}; }

inline bool IsOff(const Greedy&) { return false; }

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_GREEDY_H_

// What stages and their refusals are called in messages.
#ifndef TESSERA_KERNELS_STAGE_NAMES_H_
#define TESSERA_KERNELS_STAGE_NAMES_H_

#include <string>

#include "kernels/stages/refusal.h"
#include "kernels/stages/stages.h"

namespace tessera {

// As the proto message has it: "top_p".
const char* NameOf(const Stage& stage);

// "top_p.p is 1.5; it must be in [0, 1]". REQUIRES: a refusal.
std::string Described(const Refusal& refusal);

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGE_NAMES_H_

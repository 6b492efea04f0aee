// Random truncations and rewriting stages, of every kind, at usual, extreme and exactly
// representable parameters.
#ifndef TESSERA_TESTS_SUPPORT_RANDOM_CUTS_H_
#define TESSERA_TESTS_SUPPORT_RANDOM_CUTS_H_

#include <cstdint>

#include "kernels/chain.h"
#include "tests/support/random.h"

namespace tessera::testing {

// One that may follow what is in `chain` and be followed by others.
void AddRandomCut(Random& random, int64_t vocab_size, Chain* chain);

// One that must be the last: it reads the row's state, or leaves a partial weight.
void AddRandomLastCut(Random& random, Chain* chain);

// Whether a stage has rewritten the row or may have removed its top: no joint top-p may follow.
bool HasRewritten(const Chain& chain);

// Whether a stage reads the row's state.
bool HasState(const Stage& stage);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_RANDOM_CUTS_H_

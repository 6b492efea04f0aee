// The scalar executor with a list of 128 keys, the least that a row may have: a device that keeps
// its list in shared memory takes the paths that only long rows with long lists take elsewhere.
#ifndef TESSERA_TESTS_SUPPORT_SHORT_LISTS_H_
#define TESSERA_TESTS_SUPPORT_SHORT_LISTS_H_

#include <memory>

#include "kernels/backend.h"

namespace tessera::testing {

inline constexpr uint32_t kShortList = 128;

// "scalar, short lists". It guesses nothing: brackets are the whole row.
std::unique_ptr<Backend> MakeShortListBackend();

// "scalar, short lists, wrong guesses". Where an executor may guess (GuessMassBracket, RoughCount)
// it answers anything; where it may be generous (CountFloor) it is, by any amount. No result may
// depend on it. What it answers follows from `seed` and from all that it was asked before.
std::unique_ptr<Backend> MakeWrongGuessBackend(uint64_t seed);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_SHORT_LISTS_H_

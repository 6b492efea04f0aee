// Random chains for tests that compare executors with the oracle.
#ifndef TESSERA_TESTS_SUPPORT_RANDOM_CHAIN_H_
#define TESSERA_TESTS_SUPPORT_RANDOM_CHAIN_H_

#include <cstdint>

#include "kernels/chain.h"
#include "tests/support/random.h"

namespace tessera::testing {

// Edits, temperatures, truncations and rewriting stages in an accepted order.
Chain RandomChain(Random& random, int64_t vocab_size);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_RANDOM_CHAIN_H_

// Chains of any stages with any numbers, and presets, near to what is accepted.
#ifndef TESSERA_TESTS_FUZZ_WILD_CHAIN_H_
#define TESSERA_TESTS_FUZZ_WILD_CHAIN_H_

#include <cstdint>

#include "fuzzer/FuzzedDataProvider.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {

// In [low, high] mostly; one time in sixteen anything the type holds.
template <typename T>
T Near(FuzzedDataProvider& fuzzed, T low, T high) {
  if (fuzzed.ConsumeIntegralInRange(0, 15) == 0) return fuzzed.ConsumeIntegral<T>();
  return fuzzed.ConsumeIntegralInRange<T>(low, high);
}

// Mostly in [0, 1], else a number that lies at some stage's edge, infinite or NaN.
double WildNumber(FuzzedDataProvider& fuzzed);

// Ids in its lists are about those of a vocabulary of `vocab`.
void WildChain(FuzzedDataProvider& fuzzed, int32_t vocab, v1::SamplerChain* chain);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_WILD_CHAIN_H_

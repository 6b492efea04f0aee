// Statistics of a support in exact integers, and what the stages that read them make of them: the
// definitions of docs/numerics.md 3a, over plain vectors.
//
// Logarithms, exponentials and powers of doubles are kernels/math/log.h: their bits are part of the
// contract, and tests/math/log_test.cc judges them against long double.
#ifndef TESSERA_TESTS_SUPPORT_EXACT_STATISTICS_H_
#define TESSERA_TESTS_SUPPORT_EXACT_STATISTICS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace tessera::oracle {

// The sum of (w * distance) >> 20, distances in 2^-20 bit.
uint64_t EntropySum(const std::vector<uint64_t>& weights, const std::vector<uint64_t>& distances);

// Entropy in nats of a support of weight `total`.
double EntropyOf(uint64_t total, uint64_t entropy_sum);

// What of a support typical-p keeps, by place: every token whose distance is at most D from the
// entropy's, D the smallest for which they weigh at least `target`.
std::vector<bool> TypicalPlaces(const std::vector<uint64_t>& weights,
                                const std::vector<uint64_t>& distances, uint64_t target);

// How many of `logits`, which descend, lie at most n population deviations below the first.
size_t WithinDeviations(const std::vector<float>& logits, double n);

// How many of `weights`, which descend, tail-free sampling keeps.
size_t TailFreeCount(const std::vector<uint64_t>& weights, double z);

// How many of `logits`, which descend, the first mirostat keeps, of a row of `columns` ids.
size_t MirostatKept(const std::vector<float>& logits, float c, double mu, size_t columns);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_EXACT_STATISTICS_H_

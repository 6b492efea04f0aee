// The oracle that knows no integers: softmax and truncations in long double over the sorted row,
// with the set of answers that the contract's error bounds allow (docs/numerics.md 3 and 4).
#ifndef TESSERA_TESTS_SUPPORT_REAL_LAW_H_
#define TESSERA_TESTS_SUPPORT_REAL_LAW_H_

#include <vector>

#include "tests/support/edited_row.h"

namespace tessera::oracle {

// A boundary within this relative distance of a prefix sum or of a min-p ratio may fall on either
// side.
inline constexpr long double kBoundaryTolerance = 0x1p-18L;

// Absolute, in nats: 2^-20 on each weight and on their sum, and the rounding to binary32.
inline constexpr double kLogprobTolerance = 4e-6;
inline constexpr double kEntropyTolerance = 1e-5;

struct RealSupport {
  size_t smallest = 0;  // every acceptable support is a prefix of the order of at least this
  size_t largest = 0;   // and at most this length
  double temperature = 1;
};

RealSupport RealSupportOf(const EditedRow& row, const Chain& chain);

// Natural logarithms of the probabilities of the first `size` ids of `order`.
std::vector<long double> RealLogprobs(absl::Span<const float> y, absl::Span<const TokenId> order,
                                      size_t size, double temperature);

long double RealEntropy(absl::Span<const long double> logprobs);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_REAL_LAW_H_

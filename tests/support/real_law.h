// The oracle that knows no integers: softmax and entropy in long double over the sorted row, and
// how far the contract lets an answer lie from it (docs/numerics.md 3 and 4).
#ifndef TESSERA_TESTS_SUPPORT_REAL_LAW_H_
#define TESSERA_TESTS_SUPPORT_REAL_LAW_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "kernels/types.h"

namespace tessera::oracle {

// A boundary within this relative distance of a prefix sum or of a min-p ratio may fall on either
// side.
inline constexpr long double kBoundaryTolerance = 0x1p-18L;

// One quantum: the likeliest token weighs 2^44 of them.
inline constexpr long double kQuantum = 0x1p-44L;

// Absolute, in nats: 2^-20 on each weight and on their sum, and the rounding to binary32.
inline constexpr double kLogprobTolerance = 4e-6;
inline constexpr double kEntropyTolerance = 1e-5;

// exp((y - y_max) / T) by place in `order`: relative to the likeliest.
std::vector<long double> Ratios(absl::Span<const float> y, absl::Span<const TokenId> order,
                                double temperature);
long double Sum(absl::Span<const long double> values);

// Natural logarithms of the probabilities of the ids of `order`.
std::vector<long double> RealLogprobs(absl::Span<const float> y, absl::Span<const TokenId> order,
                                      double temperature);

long double RealEntropy(absl::Span<const long double> logprobs);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_REAL_LAW_H_

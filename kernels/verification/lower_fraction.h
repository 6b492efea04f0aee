// The two scalars of a residual below 2^63, where their exact values do not fit.
#ifndef TESSERA_KERNELS_VERIFICATION_LOWER_FRACTION_H_
#define TESSERA_KERNELS_VERIFICATION_LOWER_FRACTION_H_

#include <cstdint>

#include "kernels/verification/ratio.h"

namespace tessera {

// A and B of max(A * P_v - B * Q_v, 0). Only their ratio matters to the law.
struct Scalars {
  uint64_t a = 1;  // in [1, 2^63)
  uint64_t b = 1;  // likewise
};

// The largest fraction <= a / b of two integers below 2^63, scaled up as far as they stay below;
// a and b themselves where they fit. It is low by less than 2^-62 of itself (by 2^-125 if nothing
// conspires), as it and its upper neighbour of that size differ by one over the product of their
// denominators. REQUIRES: a, b > 0 and a / b < 2^63.
//
// Its `a` is 0 where a / b is below 1 / (2^63 - 1).
Scalars LowerFraction(const U256& a, const U256& b);

// The same, but 1 / (2^63 - 1) instead of 0: of a residual nothing with Q_v > 0 is left either way.
Scalars ResidualScalars(const U256& a, const U256& b);

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_LOWER_FRACTION_H_

// The target law of a position, scaled by the probability of standing there.
#ifndef TESSERA_KERNELS_VERIFICATION_MEASURE_H_
#define TESSERA_KERNELS_VERIFICATION_MEASURE_H_

#include "kernels/math/wide.h"
#include "kernels/verification/draft_tree.h"
#include "kernels/verification/lower_fraction.h"
#include "kernels/verification/ratio.h"

namespace tessera {

// With pi the probability, m(v) = pi * p(v) = A * P_v / unit, and
// max(m - q, 0) = max(A * P_v - B * Q_v, 0) / unit: unit = B * W_q, and pi = A * W_p / unit.
struct Measure {
  Scalars scalars;
  U128 unit;  // at most 2^127
};

// Whether pi < 2^-64. Such a probability counts as 0, and is at most 2^-64 of the law.
inline bool IsNegligible(const Ratio& pi) { return (pi.num << 64) < pi.den; }

// REQUIRES: pi <= 1, not negligible; num and den below 2^172.
inline Measure MeasureOf(const Ratio& pi, const DraftPosition& position) {
  const U256 a = pi.num * position.draft_total;
  const U256 b = pi.den * position.target_total;
  const Scalars scalars = LowerFraction(a, b);
  if (scalars.a > 0) return {scalars, Multiply(scalars.b, position.draft_total)};
  // m is below q wherever q is not 0: any B that is large enough will do, and the unit is W_p / pi.
  return {ResidualScalars(a, b), LowWords(Divide(b, pi.num).quotient)};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_MEASURE_H_

// Statistics of a support, in integers: entropy, the centre of typical-p, the spread that
// top-n-sigma cuts by. Their sums do not depend on the order of the tokens.
#ifndef TESSERA_KERNELS_MATH_STATISTICS_H_
#define TESSERA_KERNELS_MATH_STATISTICS_H_

#include <cstdint>

#include "kernels/math/host_device.h"
#include "kernels/math/log.h"
#include "kernels/math/weight.h"
#include "kernels/math/wide.h"

namespace tessera {

inline constexpr uint32_t kMaxDistance = 44u << 20;  // beyond it a weight is 0

// How far y lies below y_max, in units of 2^-20 bit: rint(-RN(d * c) * 2^20), at most
// kMaxDistance. REQUIRES: y <= y_max, or y = -inf.
TESSERA_HD inline uint32_t DistanceOf(const Weigher& weigher, float y) {
  const float d = y - weigher.y_max;
  const float octaves = (d > weigher.d_min ? d : weigher.d_min) * weigher.c;
  if (octaves <= -44.0f) return kMaxDistance;
  // From 8 on a float has no bits below 2^-20; under it, adding 8 rounds to a multiple of 2^-20.
  if (octaves <= -8.0f) return static_cast<uint32_t>(octaves * -0x1p20f);
  return BitsOf(8.0f - octaves) - BitsOf(8.0f);
}

// One token's share of E, the sum that entropy is made of. With w = WeightOf and the token's
// distance the product stays below 0.54 * 2^64, and E of a row below 2^62.1.
TESSERA_HD inline uint64_t EntropyTerm(uint64_t weight, uint32_t distance) {
  return (weight * distance) >> 20;
}

// The entropy in nats of a support with weight W > 0 and sum of EntropyTerm E.
TESSERA_HD inline double EntropyNats(uint64_t total_weight, uint64_t entropy_sum) {
  const double w = static_cast<double>(total_weight);
  return kLn2 * (Log2(w) - 44.0 + static_cast<double>(entropy_sum) / w);
}

// The distance that typical-p measures deviations from, round(E * 2^20 / W), in 2^-20 bit. A
// token's deviation is |DistanceOf - centre|. REQUIRES: total_weight > 0.
TESSERA_HD inline uint64_t TypicalCentre(uint64_t total_weight, uint64_t entropy_sum) {
  const U128 scaled = Multiply(entropy_sum, uint64_t{1} << 20);
  return Divide(scaled + U128{0, total_weight / 2}, total_weight).lo;
}

// Maps differences of logits to integers below 2^26. Two factors, because 2^s itself may exceed a
// float; both products are exact.
struct SpreadScale {
  float first;
  float second;
};

// The scale of a row whose finite logits lie in [y_min, y_max]. A range beyond the largest float
// is taken as the largest float, and so are the differences in it.
TESSERA_HD inline SpreadScale MakeSpreadScale(float y_max, float y_min) {
  const float range = y_max - y_min;
  if (!(range > 0)) return {1.0f, 1.0f};
  int octave = 127;  // floor(log2(range))
  if (range < 0x1p-126f) {
    octave = static_cast<int>(BitsOf(range * 0x1p24f) >> 23) - 127 - 24;
  } else if (range <= 0x1.fffffep127f) {
    octave = static_cast<int>(BitsOf(range) >> 23) - 127;
  }
  const int s = 25 - octave;  // in [-102, 174]
  return {FloatOf(static_cast<uint32_t>(127 + s / 2) << 23),
          FloatOf(static_cast<uint32_t>(127 + s - s / 2) << 23)};
}

// rint((y_max - y) * 2^s), below 2^26. REQUIRES: y finite, in the scale's range.
TESSERA_HD inline uint32_t SpreadOf(SpreadScale scale, float y_max, float y) {
  const float d = y_max - y;
  const float clamped = d <= 0x1.fffffep127f ? d : 0x1.fffffep127f;
  return RoundToUint32(clamped * scale.first * scale.second);
}

// Sums over the finite logits of a row. Squares of one chunk of 1,024 ids fit in 64 bits.
struct Moments {
  uint64_t count = 0;   // at most 2^19
  uint64_t sum = 0;     // of SpreadOf
  U128 sum_of_squares;  // of SpreadOf
};

// The standard deviation in units of SpreadOf: sqrt((n * sum D^2 - (sum D)^2) / n^2), the division
// and the root each rounded once. 0 for an empty row.
TESSERA_HD inline double SpreadSigma(const Moments& moments) {
  if (moments.count == 0) return 0.0;
  const U128 scaled{
      moments.sum_of_squares.hi * moments.count + MulHi64(moments.sum_of_squares.lo, moments.count),
      moments.sum_of_squares.lo * moments.count};
  const U128 numerator = scaled - Multiply(moments.sum, moments.sum);  // never negative
  const double n = static_cast<double>(moments.count);
  return Sqrt(ToDouble(numerator) / (n * n));
}

// The largest SpreadOf that top-n-sigma keeps: D <= k * sigma. REQUIRES: k >= 0.
TESSERA_HD inline uint32_t LargestKeptSpread(double k, double sigma) {
  const double limit = k * sigma;
  return limit < 0x1p26 ? static_cast<uint32_t>(limit) : uint32_t{1} << 26;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_STATISTICS_H_

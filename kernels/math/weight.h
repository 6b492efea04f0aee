// Integer probabilities: the weight of a logit is 2^44 * exp((y - y_max) / T), rounded, by a fixed
// sequence of binary32 operations that every executor reproduces bit for bit.
//
//   d = y - y_max             n = fma(d, c, M) - M        the octave, an integer
//   f = fma(d, c, -n)         g = f + 1/2                 in [0, 1]
//   w = round(2^(44 + n) * P(g))                          ties to even; w(0) = 2^44 exactly
//
// P is a degree-5 polynomial with positive coefficients, so every step is monotone in d, with
// P(1/2) = 1 and P(1) = 2 P(0) exactly. |w - 2^(44 + d*c)| <= 2^-22.3 of it plus half a unit.
// Against 2^44 * exp((y - y_max) / T) the rounding of d and c adds |d*c| * ln 2 * 2^-23 of it.
//
// M is 1.5 * 2^23 + 171, so that bits(fma(d, c, M)) << 23 is the float 2^(44 + n). Its last bit
// being odd, an exact tie of d*c between two octaves goes to the other octave than with
// M = 1.5 * 2^23. The weight is the same: at the tie one octave has g = 0 and the other, one
// lower, has g = 1, and P(1) = 2 P(0).
#ifndef TESSERA_KERNELS_MATH_WEIGHT_H_
#define TESSERA_KERNELS_MATH_WEIGHT_H_

#include <cstdint>

#include "kernels/math/host_device.h"
#include "kernels/math/key.h"
#include "kernels/math/log.h"

namespace tessera {

inline constexpr float kMagic = 12583083.0f;  // 1.5 * 2^23 + 171
inline constexpr float kWeightC0 = 0x1.6a09e4p-1f;
inline constexpr float kWeightC1 = 0x1.f5e5a6p-2f;
inline constexpr float kWeightC2 = 0x1.5bc5a6p-3f;
inline constexpr float kWeightC3 = 0x1.436c98p-5f;
inline constexpr float kWeightC4 = 0x1.a080c2p-8f;
inline constexpr float kWeightC5 = 0x1.5bba14p-10f;
inline constexpr uint64_t kMaxWeight = uint64_t{1} << 44;

// What turns one row's logits into weights.
struct Weigher {
  float y_max;  // finite; the largest logit of the support
  float c;      // log2(e) / T
  float d_min;  // below it every weight is 0: d is clamped here, so d * c stays above about -150
};

// `temperature` in [2^-100, 2^100]; the result is then finite and normal.
TESSERA_HD inline float InverseTemperature(double temperature) {
  return static_cast<float>(kLog2E / temperature);
}

// `c` is an InverseTemperature. A positive c of any size works: where -150 / c is not finite,
// no finite d reaches it.
TESSERA_HD inline Weigher MakeWeigher(float y_max, float c) {
  const float d_min = -150.0f / c;
  return {y_max, c, d_min >= -0x1.fffffep127f ? d_min : -0x1.fffffep127f};
}

// P(g) for g in [0, 1], in [sqrt(1/2), sqrt(2)].
TESSERA_HD inline float WeightPolynomial(float g) {
  float p = Fma(kWeightC5, g, kWeightC4);
  p = Fma(p, g, kWeightC3);
  p = Fma(p, g, kWeightC2);
  p = Fma(p, g, kWeightC1);
  return Fma(p, g, kWeightC0);
}

// The weight at distance d = y - y_max <= 0; -inf gives 0.
TESSERA_HD inline uint64_t WeightAt(float d, float c, float d_min) {
  d = d > d_min ? d : d_min;
  const float shifted = Fma(d, c, kMagic);
  const float n = shifted - kMagic;
  const float g = Fma(d, c, -n) + 0.5f;
  const float w = WeightPolynomial(g) * FloatOf(BitsOf(shifted) << 23);  // exact
  return RoundToUint64(w);
}

// REQUIRES: y <= weigher.y_max, or y = -inf. Monotone in y; y = y_max gives kMaxWeight.
TESSERA_HD inline uint64_t WeightOf(const Weigher& weigher, float y) {
  return WeightAt(y - weigher.y_max, weigher.c, weigher.d_min);
}

// The smallest OrderKey, among finite floats <= y_max, whose weight is at least `threshold`;
// kOrderKeyNegInf for threshold 0. REQUIRES: threshold <= kMaxWeight.
TESSERA_HD inline int32_t LowestKeyWithWeight(const Weigher& weigher, uint64_t threshold) {
  if (threshold == 0) return kOrderKeyNegInf;
  int64_t low = kOrderKeyMinFinite;
  int64_t high = OrderKey(weigher.y_max);  // always heavy enough
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (WeightOf(weigher, FromOrderKey(static_cast<int32_t>(middle))) >= threshold) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<int32_t>(low);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_WEIGHT_H_

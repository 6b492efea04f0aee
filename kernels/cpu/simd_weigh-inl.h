// Integer weights by the vector: the same binary32 steps as kernels/math/weight.h, summed exactly.
//
// bits(fma(P, scale, 2^23)) - bits(2^23) is round(P * scale) as an integer wherever P * scale is
// below 2^23, so weights add up in 32-bit lanes without a conversion. A *light* group, in which
// every octave n is at most -22, is summed so; any other splits each weight at 2^22 into a high and
// a signed low part.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_WEIGH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_WEIGH_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_WEIGH_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_WEIGH_INL_H_
#endif

#include <cmath>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_elements-inl.h"
#include "kernels/math/weight.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// a * b + c rounded once, on every target.
HWY_INLINE FloatVec FusedMulAdd(FloatVec a, FloatVec b, FloatVec c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else
  const FloatTag tag;
  HWY_ALIGN float x[kFloatLanes], y[kFloatLanes], z[kFloatLanes];
  hn::Store(a, tag, x);
  hn::Store(b, tag, y);
  hn::Store(c, tag, z);
  for (uint32_t i = 0; i < kFloatLanes; ++i) x[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(tag, x);
#endif
}

// a * b - c, rounded once.
HWY_INLINE FloatVec FusedMulSub(FloatVec a, FloatVec b, FloatVec c) {
#if HWY_NATIVE_FMA
  return hn::MulSub(a, b, c);
#else
  return FusedMulAdd(a, b, hn::Neg(c));
#endif
}

inline constexpr float kRoundUnit = 0x1p23f;      // adding it rounds [0, 2^23) to integers
inline constexpr float kRoundSigned = 0x1.8p23f;  // likewise for |x| <= 2^22
inline constexpr int32_t kRoundUnitBits = 0x4B000000;
inline constexpr int32_t kRoundSignedBits = 0x4B400000;
inline constexpr int kSplitBits = 22;
inline constexpr float kLightOctave = -22.0f;  // largest octave of a light group
inline constexpr float kZeroOctave = -46.0f;   // at or below it every weight is 0

// Weights of vectors under one weigher. A weight is P * 2^shift, where the shifted octave of
// `magic` already holds 44, or 22 for the high part of a split weight.
class VectorWeigher {
 public:
  explicit VectorWeigher(const Weigher& weigher, float magic)
      : y_max_(hn::Set(FloatTag(), weigher.y_max)),
        c_(hn::Set(FloatTag(), weigher.c)),
        d_min_(hn::Set(FloatTag(), ClampOf(weigher))),
        magic_(hn::Set(FloatTag(), magic)) {}

  struct Parts {
    FloatVec polynomial;
    FloatVec scale;
  };

  HWY_INLINE Parts Of(FloatVec y) const {
    const FloatTag tag;
    const FloatVec d = hn::Max(hn::Sub(y, y_max_), d_min_);
    const FloatVec shifted = FusedMulAdd(d, c_, magic_);
    const FloatVec n = hn::Sub(shifted, magic_);
    const FloatVec g = hn::Add(FusedMulSub(d, c_, n), hn::Set(tag, 0.5f));
    FloatVec p = FusedMulAdd(hn::Set(tag, kWeightC5), g, hn::Set(tag, kWeightC4));
    p = FusedMulAdd(p, g, hn::Set(tag, kWeightC3));
    p = FusedMulAdd(p, g, hn::Set(tag, kWeightC2));
    p = FusedMulAdd(p, g, hn::Set(tag, kWeightC1));
    p = FusedMulAdd(p, g, hn::Set(tag, kWeightC0));
    const FloatVec scale = hn::BitCast(tag, hn::ShiftLeft<23>(hn::BitCast(Int32Tag(), shifted)));
    return {p, scale};
  }

 private:
  // About -100 / c instead of -150 / c: the weight is 0 either way, and both magics keep the scale
  // a normal number.
  static float ClampOf(const Weigher& weigher) { return weigher.d_min * (2.0f / 3.0f); }

  FloatVec y_max_, c_, d_min_, magic_;
};

// Magic constants whose last bit is odd, as kMagic's is.
inline constexpr float kLightMagic = kMagic;               // scale 2^(44 + n)
inline constexpr float kSplitMagic = kMagic - kSplitBits;  // scale 2^(22 + n)

// Both halves of split weights, as integers above kRoundUnitBits and around kRoundSignedBits.
struct SplitWeights {
  Int32Vec high;
  Int32Vec low;
};

HWY_INLINE SplitWeights Split(const VectorWeigher::Parts& parts) {
  const FloatTag tag;
  const FloatVec unit = hn::Set(tag, kRoundUnit);
  const FloatVec high = FusedMulAdd(parts.polynomial, parts.scale, unit);
  const FloatVec rest = FusedMulSub(parts.polynomial, parts.scale, hn::Sub(high, unit));  // exact
  const FloatVec low = FusedMulAdd(rest, hn::Set(tag, 0x1p22f), hn::Set(tag, kRoundSigned));
  return {hn::BitCast(Int32Tag(), high), hn::BitCast(Int32Tag(), low)};
}

// The octave of one logit, as the vectors compute it; decides how its group is summed.
HWY_INLINE float OctaveOf(const Weigher& weigher, float y) {
  const float d = y - weigher.y_max;
  return Fma(d > weigher.d_min ? d : weigher.d_min, weigher.c, kMagic) - kMagic;
}

// The exact weights of kFloatLanes logits.
HWY_INLINE void StoreWeights(const VectorWeigher& weigher, FloatVec y, uint64_t* out) {
  const SplitWeights split = Split(weigher.Of(y));
  const Int32Tag tag;
  HWY_ALIGN int32_t high[kFloatLanes], low[kFloatLanes];
  hn::Store(split.high, tag, high);
  hn::Store(split.low, tag, low);
  for (uint32_t i = 0; i < kFloatLanes; ++i) {
    out[i] = (static_cast<uint64_t>(high[i] - kRoundUnitBits) << kSplitBits) +
             static_cast<uint64_t>(int64_t{low[i] - kRoundSignedBits});
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_WEIGH_INL_H_

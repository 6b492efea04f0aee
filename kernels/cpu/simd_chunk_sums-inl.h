// The weight of one chunk, as exact 64-bit sums of what simd_weigh-inl.h computes.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_CHUNK_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_CHUNK_SUMS_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_CHUNK_SUMS_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_CHUNK_SUMS_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_elements-inl.h"
#include "kernels/cpu/simd_weigh-inl.h"
#include "kernels/row/passes.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// What a chunk's sum looks at.
enum class Reach {
  kAll,     // every id
  kSplit,   // every id, and those above a bound apart
  kWithin,  // ids between two bounds, and of those the ones above a third apart
};

// Float bounds of the order keys, so that -0 and +0 compare equal.
struct Bounds {
  float floor;  // kWithin: y >= floor
  float ceil;   // kWithin: y <= ceil
  float above;  // kSplit, kWithin: y > above is summed apart too
};

// Sum over the lanes of high * 2^22 + low, both unsigned.
HWY_INLINE uint64_t SumLanes(Int32Vec high, Int32Vec low) {
#if HWY_TARGET == HWY_SCALAR
  return (uint64_t{static_cast<uint32_t>(hn::GetLane(high))} << kSplitBits) +
         static_cast<uint32_t>(hn::GetLane(low));
#else
  const hn::ScalableTag<uint64_t> wide;
  const auto even = hn::Set(wide, 0xFFFFFFFFu);
  const auto h = hn::BitCast(wide, high);
  const auto l = hn::BitCast(wide, low);
  const auto highs = hn::Add(hn::And(h, even), hn::ShiftRight<32>(h));
  const auto lows = hn::Add(hn::And(l, even), hn::ShiftRight<32>(l));
  return hn::GetLane(hn::SumOfLanes(wide, hn::Add(hn::ShiftLeft<kSplitBits>(highs), lows)));
#endif
}

// A lane may add up this many weights: of light ones each is below 2^22.5, and of split ones the
// high part is at most 2^22.
inline constexpr uint32_t kAddsPerLane = 256;
inline constexpr uint32_t kBlockIds =
    kAddsPerLane * kFloatLanes < kChunkIds ? kAddsPerLane * kFloatLanes : kChunkIds;

// One part, in `low`, of a light weight; both of another.
template <bool kLight>
HWY_INLINE SplitWeights RoundedWeights(const VectorWeigher::Parts& parts) {
  if constexpr (!kLight) return Split(parts);
  const auto rounded = FusedMulAdd(parts.polynomial, parts.scale, hn::Set(FloatTag(), kRoundUnit));
  return {hn::Zero(Int32Tag()), hn::BitCast(Int32Tag(), rounded)};
}

// Adds up weights, at most kAddsPerLane vectors of them: light ones have one part, others two.
template <bool kLight>
class LaneSums {
 public:
  HWY_INLINE LaneSums() : high_(hn::Zero(Int32Tag())), low_(hn::Zero(Int32Tag())) {}

  HWY_INLINE void Add(const SplitWeights& weights) {
    if constexpr (!kLight) high_ = hn::Add(high_, weights.high);
    low_ = hn::Add(low_, weights.low);
  }

  // Where `mask` is not set a weight of 0 is added.
  template <class Mask>
  HWY_INLINE void AddWhere(Mask mask, const SplitWeights& weights) {
    const Int32Tag tag;
    const auto zero_low = hn::Set(tag, kLight ? kRoundUnitBits : kRoundSignedBits);
    if constexpr (!kLight) {
      high_ = hn::Add(high_, hn::IfThenElse(mask, weights.high, hn::Set(tag, kRoundUnitBits)));
    }
    low_ = hn::Add(low_, hn::IfThenElse(mask, weights.low, zero_low));
  }

  // `vectors` is how many were added.
  HWY_INLINE uint64_t Total(uint32_t vectors) const {
    const Int32Tag tag;
    const auto n = static_cast<int32_t>(vectors);
    if constexpr (kLight) {
      return SumLanes(hn::Zero(tag), hn::Sub(low_, hn::Set(tag, Times(n, kRoundUnitBits))));
    } else {
      // Low parts are signed, and their sums at most 2^29; lifted by 2^30 a lane they are not.
      const int32_t lift = 1 << 30;
      const auto high = hn::Sub(high_, hn::Set(tag, Times(n, kRoundUnitBits)));
      const auto low =
          hn::Add(hn::Sub(low_, hn::Set(tag, Times(n, kRoundSignedBits))), hn::Set(tag, lift));
      return SumLanes(high, low) - uint64_t{kFloatLanes} * static_cast<uint32_t>(lift);
    }
  }

 private:
  // Modulo 2^32, as the lanes add.
  static int32_t Times(int32_t n, int32_t bits) {
    return static_cast<int32_t>(static_cast<uint32_t>(n) * static_cast<uint32_t>(bits));
  }

  Int32Vec high_;
  Int32Vec low_;
};

// Sums the n <= kBlockIds elements at p. `weigher` has the magic that kLight asks for.
template <class Elements, Reach kReach, bool kLight>
HWY_INLINE WeighTotals SumBlock(const typename Elements::Bits* p, uint32_t n,
                                const VectorWeigher& weigher, const Bounds& bounds) {
  const FloatTag tag;
  const FloatVec floor = hn::Set(tag, bounds.floor);
  const FloatVec ceil = hn::Set(tag, bounds.ceil);
  const FloatVec above = hn::Set(tag, bounds.above);
  LaneSums<kLight> total, apart;
  const auto add = [&](const typename Elements::Bits* from) HWY_ATTR {
    const FloatVec y = Elements::Load(from);
    const auto is_apart = hn::RebindMask(Int32Tag(), hn::Gt(y, above));
    if constexpr (kReach == Reach::kWithin) {
      const auto within = hn::RebindMask(Int32Tag(), hn::And(hn::Ge(y, floor), hn::Le(y, ceil)));
      const SplitWeights weights = RoundedWeights<kLight>(weigher.Of(hn::Min(y, ceil)));
      total.AddWhere(within, weights);
      apart.AddWhere(hn::And(within, is_apart), weights);
    } else {
      const SplitWeights weights = RoundedWeights<kLight>(weigher.Of(y));
      total.Add(weights);
      if constexpr (kReach == Reach::kSplit) apart.AddWhere(is_apart, weights);
    }
  };
  uint32_t i = 0;
  uint32_t vectors = 0;
  for (; i + kFloatLanes <= n; i += kFloatLanes, ++vectors) add(p + i);
  if (i < n) {
    HWY_ALIGN typename Elements::Bits tail[kFloatLanes];
    LoadPartial<Elements, kFloatLanes>(p + i, n - i, tail);
    add(tail);
    ++vectors;
  }
  WeighTotals totals{total.Total(vectors), 0};
  totals.above = kReach == Reach::kAll ? totals.total : apart.Total(vectors);
  return totals;
}

// Sums the n elements of a chunk.
template <class Elements, Reach kReach, bool kLight>
HWY_INLINE WeighTotals SumChunk(const typename Elements::Bits* p, uint32_t n,
                                const VectorWeigher& weigher, const Bounds& bounds) {
  WeighTotals totals;
  for (uint32_t start = 0; start < n; start += kBlockIds) {
    const uint32_t size = n - start < kBlockIds ? n - start : kBlockIds;
    const auto block = SumBlock<Elements, kReach, kLight>(p + start, size, weigher, bounds);
    totals.total += block.total;
    totals.above += block.above;
  }
  return totals;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_CHUNK_SUMS_INL_H_

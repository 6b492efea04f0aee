// Weigh and ChunkWeights: the weight of a row's support, chunk by chunk.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_WEIGH_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_WEIGH_ROW_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_WEIGH_ROW_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_WEIGH_ROW_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_chunk_sums-inl.h"
#include "kernels/row/passes.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// The order keys that bound the support within one chunk. Among ties of the bounding keys only some
// ids belong to it; in all chunks but the one where that id stands, all or none of them do.
struct ChunkBounds {
  int32_t floor;
  int32_t ceil;
  bool mixed;  // this is that chunk: bounds admit too much, keys must be looked at one by one
};

HWY_INLINE ChunkBounds BoundsIn(const Interval& support, uint32_t chunk, uint32_t n) {
  const uint32_t first = chunk * kChunkIds;
  const uint32_t last = first + n - 1;
  const auto lo_id = static_cast<uint32_t>(IdOf(support.lo));  // ties up to it belong
  const auto hi_id = static_cast<uint32_t>(IdOf(support.hi));  // ties from it on belong
  ChunkBounds bounds{OrderKeyOf(support.lo), OrderKeyOf(support.hi), false};
  if (lo_id < first) {
    ++bounds.floor;
  } else if (lo_id < last) {
    bounds.mixed = true;
  }
  if (hi_id > last) {
    --bounds.ceil;
  } else if (hi_id > first) {
    bounds.mixed = true;
  }
  return bounds;
}

// The float with this order key, or the nearest infinity.
HWY_INLINE float BoundOf(int32_t order_key) {
  if (order_key > kOrderKeyPosInf) return FromOrderKey(kOrderKeyPosInf);
  if (order_key < kOrderKeyNegInf) return FromOrderKey(kOrderKeyNegInf);
  return FromOrderKey(order_key);
}

template <class Elements>
HWY_INLINE void LoadChunk(const RowView& row, uint32_t chunk, float* out) {
  const auto* p = ChunkBits<Elements>(row, chunk);
  const uint32_t n = ChunkSize(row, chunk);
  uint32_t i = 0;
  for (; i + kFloatLanes <= n; i += kFloatLanes) {
    hn::StoreU(Elements::Load(p + i), FloatTag(), out + i);
  }
  for (; i < n; ++i) out[i] = Elements::ToFloat(p[i]);
}

// Exact weights of n logits; y may hold anything up to the next multiple of kFloatLanes.
HWY_INLINE void WeighLogits(const Weigher& weigher, const float* y, uint32_t n, uint64_t* out) {
  const VectorWeigher vectors(weigher, kSplitMagic);
  const FloatTag tag;
  const FloatVec y_max = hn::Set(tag, weigher.y_max);
  uint32_t i = 0;
  for (; i + kFloatLanes <= n; i += kFloatLanes) {
    StoreWeights(vectors, hn::Min(hn::LoadU(tag, y + i), y_max), out + i);
  }
  for (; i < n; ++i) out[i] = WeightOf(weigher, y[i] < weigher.y_max ? y[i] : weigher.y_max);
}

// Whether one of a whole chunk's logits lies in [floor, ceil].
HWY_INLINE bool AnyWithin(const float* logits, float floor, float ceil) {
  const FloatTag tag;
  const FloatVec low = hn::Set(tag, floor);
  const FloatVec high = hn::Set(tag, ceil);
  auto any = hn::FirstN(tag, 0);
  for (uint32_t i = 0; i < kChunkIds; i += kFloatLanes) {
    const FloatVec y = hn::LoadU(tag, logits + i);
    any = hn::Or(any, hn::And(hn::Ge(y, low), hn::Le(y, high)));
  }
  return !hn::AllFalse(tag, any);
}

// A residual asks for every chunk, and most hold nothing of a truncated support: those are not
// weighed.
template <class Elements>
HWY_NOINLINE uint32_t ChunkWeightsOf(const RowView& row, const Weigher& weigher,
                                     const Interval& support, uint32_t chunk, uint64_t* out) {
  HWY_ALIGN float logits[kChunkIds];
  const uint32_t n = ChunkSize(row, chunk);
  LoadChunk<Elements>(row, chunk, logits);
  const ChunkBounds bounds = BoundsIn(support, chunk, n);
  const float floor = BoundOf(bounds.floor);
  const float ceil = BoundOf(bounds.ceil);
  if (!bounds.mixed && n == kChunkIds && !AnyWithin(logits, floor, ceil)) {
    std::fill_n(out, n, 0);
    return n;
  }
  WeighLogits(weigher, logits, n, out);
  if (bounds.mixed) {
    for (uint32_t i = 0; i < n; ++i) {
      const auto id = static_cast<TokenId>(chunk * kChunkIds + i);
      if (!support.Has(MakeTokenKey(OrderKey(logits[i]), id))) out[i] = 0;
    }
    return n;
  }
  for (uint32_t i = 0; i < n; ++i) out[i] = logits[i] >= floor && logits[i] <= ceil ? out[i] : 0;
  return n;
}

template <class Elements, Reach kReach>
HWY_NOINLINE WeighTotals WeighRow(const RowView& row, const PassScratch& scratch,
                                  const Weigher& weigher, const Interval& support, int32_t above,
                                  uint64_t* chunk_sums) {
  const VectorWeigher light(weigher, kLightMagic);
  const VectorWeigher split(weigher, kSplitMagic);
  WeighTotals totals;
  for (uint32_t chunk = 0; chunk < row.chunks(); ++chunk) {
    chunk_sums[chunk] = 0;
    const uint32_t n = ChunkSize(row, chunk);
    const ChunkBounds bounds = BoundsIn(support, chunk, n);
    if (scratch.chunk_maxima[chunk] < bounds.floor) continue;
    const float octave = OctaveOf(weigher, FromOrderKey(scratch.chunk_maxima[chunk]));
    if (octave <= kZeroOctave) continue;
    WeighTotals sums;
    if (bounds.mixed) {
      alignas(64) uint64_t weights[kChunkIds];
      ChunkWeightsOf<Elements>(row, weigher, support, chunk, weights);
      for (uint32_t i = 0; i < n; ++i) {
        sums.total += weights[i];
        const int32_t key = OrderKey(LogitAt(row, chunk * kChunkIds + i));
        if (key > above) sums.above += weights[i];
      }
    } else {
      const Bounds floats{BoundOf(bounds.floor), BoundOf(bounds.ceil), BoundOf(above)};
      const auto* p = ChunkBits<Elements>(row, chunk);
      sums = octave <= kLightOctave ? SumChunk<Elements, kReach, true>(p, n, light, floats)
                                    : SumChunk<Elements, kReach, false>(p, n, split, floats);
    }
    totals.total += sums.total;
    totals.above += sums.above;
    chunk_sums[chunk] = sums.above;
  }
  return totals;
}

template <class Elements>
HWY_INLINE WeighTotals WeighWith(const RowView& row, const PassScratch& scratch,
                                 const Weigher& weigher, const Interval& support, int32_t above,
                                 uint64_t* chunk_sums) {
  const bool everything = support.lo <= AllCandidates().lo && support.hi == AllCandidates().hi;
  const bool apart = above > kOrderKeyNegInf;
  if (everything && !apart) {
    return WeighRow<Elements, Reach::kAll>(row, scratch, weigher, support, above, chunk_sums);
  }
  if (everything) {
    return WeighRow<Elements, Reach::kSplit>(row, scratch, weigher, support, above, chunk_sums);
  }
  return WeighRow<Elements, Reach::kWithin>(row, scratch, weigher, support, above, chunk_sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_WEIGH_ROW_INL_H_

// Collect and Count: which ids of a row lie in an interval. Chunks whose maximum is too small are
// not looked at.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_COLLECT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_COLLECT_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_COLLECT_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_COLLECT_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_compress-inl.h"
#include "kernels/cpu/simd_elements-inl.h"
#include "kernels/cpu/simd_narrow-inl.h"
#include "kernels/cpu/simd_weigh_row-inl.h"
#include "kernels/row/passes.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// One bit per lane.
template <class Tag, class Mask>
HWY_INLINE uint64_t BitsOfMask(Tag tag, Mask mask) {
#if HWY_TARGET == HWY_SCALAR
  return hn::CountTrue(tag, mask);
#else
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(tag, mask, bytes);
  uint64_t bits;
  std::memcpy(&bits, bytes, 8);
  return bits;
#endif
}

// Calls visit(id) for the ids of a chunk whose native key is at least `floor`, in id order, until
// it returns false.
template <class Elements, class Visit>
HWY_INLINE void VisitAtLeast(const RowView& row, uint32_t chunk, int32_t floor, Visit visit) {
  using Keys = NativeKeys<Elements>;
  using Native = typename Elements::Native;
  const typename Keys::Tag tag;
  const auto below = hn::Set(tag, static_cast<Native>(floor - 1));
  const auto* p = ChunkBits<Elements>(row, chunk);
  const uint32_t n = ChunkSize(row, chunk);
  for (uint32_t i = 0; i < n; i += Keys::kLanes) {
    const typename Elements::Bits* from = p + i;
    HWY_ALIGN typename Elements::Bits tail[Keys::kLanes];
    if (n - i < Keys::kLanes) {
      LoadPartial<Elements, Keys::kLanes>(from, n - i, tail);
      from = tail;
    }
    const auto mask = hn::Gt(Keys::Load(from), below);
    if (hn::AllFalse(tag, mask)) continue;
    for (uint64_t bits = BitsOfMask(tag, mask); bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
      if (!visit(chunk * kChunkIds + i + lane)) return;
    }
  }
}

// Most lanes of the chunk hold an id at or above the native `floor`: worth looking at every vector.
template <class Elements>
HWY_INLINE bool IsDense(const PassScratch& scratch, uint32_t chunk, int32_t floor) {
  const auto* maxima = reinterpret_cast<const typename Elements::Native*>(scratch.lane_maxima);
  return CountKeys<Elements>(maxima + chunk * kColumns, kColumns, floor) >= kColumns / 2;
}

template <class Elements>
HWY_NOINLINE uint32_t CollectOf(const RowView& row, const PassScratch& scratch,
                                const Interval& support, TokenKey* out, uint32_t capacity) {
  const int32_t floor_key = OrderKeyOf(support.lo);
  const int32_t floor = NativeKeys<Elements>::AtLeast(floor_key);
  if (floor > Elements::kInf) return 0;
  uint32_t found = 0;
  for (uint32_t chunk = 0; chunk < row.chunks() && found <= capacity; ++chunk) {
    if (scratch.chunk_maxima[chunk] < floor_key) continue;
    const auto* p = ChunkBits<Elements>(row, chunk);
    const uint32_t n = ChunkSize(row, chunk);
    const ChunkBounds bounds = BoundsIn(support, chunk, n);
    if (!bounds.mixed && capacity - found >= n && IsDense<Elements>(scratch, chunk, floor)) {
      found += AppendChosen<Elements>(p, n, chunk * kChunkIds, BoundOf(bounds.floor),
                                      BoundOf(bounds.ceil), out + found);
      continue;
    }
    VisitAtLeast<Elements>(row, chunk, floor, [&](uint32_t id) {
      const int32_t key = OrderKey(Elements::ToFloat(p[id % kChunkIds]));
      const TokenKey token = MakeTokenKey(key, static_cast<TokenId>(id));
      if (!support.Has(token)) return true;
      if (found < capacity) out[found] = token;
      return ++found <= capacity;
    });
  }
  return found;
}

// Ids in [0, count) of a chunk whose native key is at least `floor`.
template <class Elements>
HWY_INLINE uint32_t CountChunk(const RowView& row, uint32_t chunk, uint32_t count, int32_t floor) {
  using Keys = NativeKeys<Elements>;
  const typename Keys::Tag tag;
  const auto below = hn::Set(tag, static_cast<typename Elements::Native>(floor - 1));
  const auto* p = ChunkBits<Elements>(row, chunk);
  uint32_t found = 0;
  uint32_t i = 0;
  for (; i + Keys::kLanes <= count; i += Keys::kLanes) {
    found += static_cast<uint32_t>(hn::CountTrue(tag, hn::Gt(Keys::Load(p + i), below)));
  }
  if (i < count) {
    HWY_ALIGN typename Elements::Bits tail[Keys::kLanes];
    LoadPartial<Elements, Keys::kLanes>(p + i, count - i, tail);
    found += static_cast<uint32_t>(hn::CountTrue(tag, hn::Gt(Keys::Load(tail), below)));
  }
  return found;
}

// Ids whose token key is at least `bound`: of the ties of its order key, those up to its id.
template <class Elements>
HWY_NOINLINE uint32_t CountFrom(const RowView& row, const PassScratch& scratch, TokenKey bound) {
  const int32_t key = OrderKeyOf(bound);
  const auto tie_id = static_cast<uint32_t>(IdOf(bound));
  const int32_t with_ties = NativeKeys<Elements>::AtLeast(key);
  const int32_t without = NativeKeys<Elements>::AtLeast(key + 1);
  uint32_t found = 0;
  for (uint32_t chunk = 0; chunk < row.chunks(); ++chunk) {
    if (scratch.chunk_maxima[chunk] < key) continue;
    const uint32_t first = chunk * kChunkIds;
    const uint32_t n = ChunkSize(row, chunk);
    const uint32_t ties = tie_id < first ? 0 : tie_id - first < n - 1 ? tie_id - first + 1 : n;
    if (ties > 0 && with_ties <= Elements::kInf) {
      found += CountChunk<Elements>(row, chunk, ties, with_ties);
    }
    if (ties == n || without > Elements::kInf) continue;
    found += CountChunk<Elements>(row, chunk, n, without);
    if (ties > 0) found -= CountChunk<Elements>(row, chunk, ties, without);
  }
  return found;
}

template <class Elements>
HWY_INLINE uint32_t CountOf(const RowView& row, const PassScratch& scratch,
                            const Interval& support) {
  const uint32_t from_lo = CountFrom<Elements>(row, scratch, support.lo);
  if (from_lo == 0 || support.hi == ~TokenKey{0}) return from_lo;
  return from_lo - CountFrom<Elements>(row, scratch, support.hi + 1);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_COLLECT_INL_H_

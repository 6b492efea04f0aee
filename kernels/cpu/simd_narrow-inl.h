// CountFloor: the k-th largest of the lane maxima bounds the k-th largest logit from below, because
// that many different ids stand at or above it.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_NARROW_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_NARROW_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_NARROW_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_elements-inl.h"
#include "kernels/row/passes.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// How many of the n native keys are at least `floor`. n is a multiple of kColumns.
template <class Elements>
HWY_INLINE uint32_t CountKeys(const typename Elements::Native* keys, uint32_t n, int32_t floor) {
  using Keys = NativeKeys<Elements>;
  const typename Keys::Tag tag;
  const auto below = hn::Set(tag, static_cast<typename Elements::Native>(floor - 1));
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i += Keys::kLanes) {
    found += static_cast<uint32_t>(hn::CountTrue(tag, hn::Gt(hn::Load(tag, keys + i), below)));
  }
  return found;
}

// A native key at or above which stand at least k ids and, where possible, not many more than k
// lane maxima. REQUIRES: 0 < k <= columns * chunks.
template <class Elements>
HWY_NOINLINE int32_t NativeFloor(const RowView& row, const PassScratch& scratch, uint32_t k) {
  using Keys = NativeKeys<Elements>;
  const auto* keys = reinterpret_cast<const typename Elements::Native*>(scratch.lane_maxima);
  const uint32_t n = row.chunks() * kColumns;
  int64_t low = Keys::kNegInf;  // at least k maxima stand at or above it
  int64_t high = Elements::kInf;
  while (low + 1 < high) {
    const int64_t middle = low + (high - low) / 2;
    const uint32_t count = CountKeys<Elements>(keys, n, static_cast<int32_t>(middle));
    if (count >= k) {
      low = middle;
      if (count <= k + k / 4) break;
    } else {
      high = middle;
    }
  }
  return static_cast<int32_t>(low);
}

template <class Elements>
HWY_INLINE int32_t CountFloorOf(const RowView& row, const PassScratch& scratch, uint32_t k) {
  if (k == 0 || k > row.chunks() * kColumns) return kOrderKeyNegInf;
  const int32_t floor = NativeFloor<Elements>(row, scratch, k);
  return NativeKeys<Elements>::ToOrderKey(static_cast<typename Elements::Native>(floor));
}

// As many as lane maxima at or above the key, or all ids where those are many.
template <class Elements>
HWY_NOINLINE uint32_t RoughCountOf(const RowView& row, const PassScratch& scratch, int32_t key) {
  const int32_t floor = NativeKeys<Elements>::AtLeast(key);
  if (floor > Elements::kInf) return 0;
  const uint32_t lanes = row.chunks() * kColumns;
  const auto* maxima = reinterpret_cast<const typename Elements::Native*>(scratch.lane_maxima);
  const uint32_t count = CountKeys<Elements>(maxima, lanes, floor);
  return count <= lanes / 8 ? count : row.columns;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_NARROW_INL_H_

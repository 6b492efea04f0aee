// LoadMax: the largest key of a row, whether a NaN or +inf stands in it, and on the way the maxima
// that narrow every later pass: per chunk, and per chunk in 32 columns (id mod 32).
//
// Compares native integers, four operations per vector, which hide behind the memory's speed.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_MAX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_MAX_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_MAX_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_MAX_INL_H_
#endif

#include <cstdint>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/cpu/simd_elements-inl.h"
#include "kernels/row/passes.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// Folds one group of 32 elements into the column maxima and the row's least key.
template <class Elements>
HWY_INLINE void FoldGroup(
    const typename Elements::Bits* p,
    typename NativeKeys<Elements>::Vec (&maxima)[NativeKeys<Elements>::kVectors],
    typename NativeKeys<Elements>::Vec& least) {
  using Keys = NativeKeys<Elements>;
  for (uint32_t v = 0; v < Keys::kVectors; ++v) {
    const auto keys = Keys::Load(p + v * Keys::kLanes);
    maxima[v] = hn::Max(maxima[v], keys);
    least = hn::Min(least, keys);
  }
}

template <class Elements>
HWY_NOINLINE RowMax LoadMaxOf(const RowView& row, const PassScratch& scratch) {
  using Keys = NativeKeys<Elements>;
  using Native = typename Elements::Native;
  const typename Keys::Tag tag;
  auto* columns = reinterpret_cast<Native*>(scratch.lane_maxima);
  auto least = hn::Set(tag, Keys::kNegInf);
  Native greatest = Keys::kNegInf;
  for (uint32_t chunk = 0; chunk < row.chunks(); ++chunk) {
    const auto* p = ChunkBits<Elements>(row, chunk);
    const uint32_t n = ChunkSize(row, chunk);
    typename Keys::Vec maxima[Keys::kVectors];
    for (auto& maximum : maxima) maximum = hn::Set(tag, Keys::kNegInf);
    uint32_t i = 0;
    for (; i + kColumns <= n; i += kColumns) {
      hwy::Prefetch(reinterpret_cast<const char*>(p + i) + 2048);
      FoldGroup<Elements>(p + i, maxima, least);
    }
    if (i < n) {
      HWY_ALIGN typename Elements::Bits tail[kColumns];
      LoadPartial<Elements, kColumns>(p + i, n - i, tail);
      FoldGroup<Elements>(tail, maxima, least);
    }
    auto top = maxima[0];
    for (uint32_t v = 0; v < Keys::kVectors; ++v) {
      hn::Store(maxima[v], tag, columns + chunk * kColumns + v * Keys::kLanes);
      top = hn::Max(top, maxima[v]);
    }
    const Native chunk_top = hn::GetLane(hn::MaxOfLanes(tag, top));
    scratch.chunk_maxima[chunk] = Keys::ToOrderKey(chunk_top);
    greatest = chunk_top > greatest ? chunk_top : greatest;
  }
  RowMax max;
  // NaN lies outside the infinities on either side.
  max.invalid =
      greatest >= Elements::kInf || hn::GetLane(hn::MinOfLanes(tag, least)) < Keys::kNegInf;
  max.key = Keys::ToOrderKey(greatest);
  return max;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_MAX_INL_H_

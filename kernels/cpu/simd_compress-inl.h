// Writes the chosen ids of a vector of logits as token keys, in id order.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_COMPRESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_COMPRESS_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_COMPRESS_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_COMPRESS_INL_H_
#endif

#include <array>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_elements-inl.h"
#include "kernels/math/key.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

using UintTag = hn::ScalableTag<uint32_t>;
using UintVec = hn::Vec<UintTag>;

#if HWY_TARGET == HWY_AVX2
// For each mask of eight lanes, the lanes it selects, first to last: faster here than the
// library's compress.
inline constexpr auto kCompressLanes = [] {
  std::array<std::array<uint32_t, 8>, 256> table{};
  for (uint32_t mask = 0; mask < 256; ++mask) {
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) table[mask][n++] = lane;
    }
  }
  return table;
}();
#endif

// Appends the lanes of `v` where `mask` is set. May write a whole vector.
template <class Mask>
HWY_INLINE uint32_t StoreChosen(UintVec v, Mask mask, uint32_t* out) {
  const UintTag tag;
#if HWY_TARGET == HWY_AVX2
  uint8_t bits[8];
  hn::StoreMaskBits(tag, mask, bits);
  const auto indices =
      hn::SetTableIndices(tag, reinterpret_cast<const int32_t*>(kCompressLanes[bits[0]].data()));
  hn::StoreU(hn::TableLookupLanes(v, indices), tag, out);
  return static_cast<uint32_t>(hn::CountTrue(tag, mask));
#else
  hn::StoreU(hn::Compress(v, mask), tag, out);
  return static_cast<uint32_t>(hn::CountTrue(tag, mask));
#endif
}

// Appends the token keys of the n logits at p that lie in [floor, ceil]; the first id is `first`.
// The number written. `out` has room for n keys. No branch looks at the logits: which ids are
// chosen cannot be predicted.
template <class Elements>
HWY_INLINE uint32_t AppendChosen(const typename Elements::Bits* p, uint32_t n, uint32_t first,
                                 float floor, float ceil, TokenKey* out) {
  const FloatTag tag;
  HWY_ALIGN uint32_t chosen[kChunkIds + kFloatLanes];  // places in the chunk
  const FloatVec lower = hn::Set(tag, floor);
  const FloatVec upper = hn::Set(tag, ceil);
  UintVec places = hn::Iota(UintTag(), 0);
  const UintVec step = hn::Set(UintTag(), kFloatLanes);
  uint32_t found = 0;
  const auto append = [&](const typename Elements::Bits* from) HWY_ATTR {
    const FloatVec y = Elements::Load(from);
    const auto inside = hn::And(hn::Ge(y, lower), hn::Le(y, upper));
    found += StoreChosen(places, hn::RebindMask(UintTag(), inside), chosen + found);
    places = hn::Add(places, step);
  };
  uint32_t i = 0;
  for (; i + kFloatLanes <= n; i += kFloatLanes) append(p + i);
  if (i < n) {
    HWY_ALIGN typename Elements::Bits tail[kFloatLanes];
    LoadPartial<Elements, kFloatLanes>(p + i, n - i, tail);
    append(tail);
  }
  for (uint32_t j = 0; j < found; ++j) {
    const int32_t key = OrderKey(Elements::ToFloat(p[chosen[j]]));
    out[j] = MakeTokenKey(key, static_cast<TokenId>(first + chosen[j]));
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_COMPRESS_INL_H_

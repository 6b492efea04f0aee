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

// The order keys of logits, biased to unsigned as token keys hold them.
HWY_INLINE UintVec BiasedKeys(FloatVec y) {
  const Int32Tag tag;
  const Int32Vec bits = hn::BitCast(tag, y);
  const Int32Vec magnitude = hn::And(bits, hn::Set(tag, 0x7FFFFFFF));
  const Int32Vec key =
      hn::IfThenElse(hn::Lt(bits, hn::Zero(tag)), hn::Sub(hn::Zero(tag), magnitude), magnitude);
  return hn::Xor(hn::BitCast(UintTag(), key), hn::Set(UintTag(), 0x80000000u));
}

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
// The number written. `out` has room for n keys.
template <class Elements>
HWY_INLINE uint32_t AppendChosen(const typename Elements::Bits* p, uint32_t n, uint32_t first,
                                 float floor, float ceil, TokenKey* out) {
  const FloatTag tag;
  HWY_ALIGN uint32_t keys[kChunkIds + kFloatLanes];
  HWY_ALIGN uint32_t ids[kChunkIds + kFloatLanes];
  const FloatVec lower = hn::Set(tag, floor);
  const FloatVec upper = hn::Set(tag, ceil);
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i += kFloatLanes) {
    const typename Elements::Bits* from = p + i;
    HWY_ALIGN typename Elements::Bits tail[kFloatLanes];
    if (n - i < kFloatLanes) {
      LoadPartial<Elements, kFloatLanes>(from, n - i, tail);
      from = tail;
    }
    const FloatVec y = Elements::Load(from);
    const auto chosen = hn::And(hn::Ge(y, lower), hn::Le(y, upper));
    if (hn::AllFalse(tag, chosen)) continue;
    const auto mask = hn::RebindMask(UintTag(), chosen);
    StoreChosen(BiasedKeys(y), mask, keys + found);
    found += StoreChosen(hn::Iota(UintTag(), first + i), mask, ids + found);
  }
  for (uint32_t i = 0; i < found; ++i) {
    out[i] = static_cast<uint64_t>(keys[i]) << 32 | (0xFFFFFFFFu - ids[i]);
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_COMPRESS_INL_H_

// Arithmetic on lists of token keys: their weights, sums above a pivot, what lies between two.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_LISTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_LISTS_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_LISTS_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_LISTS_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_compress-inl.h"
#include "kernels/cpu/simd_weigh_row-inl.h"
#include "kernels/math/key.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

using KeyTag = hn::ScalableTag<uint64_t>;

// The logits of n <= kChunkIds token keys.
HWY_INLINE void LogitsOfKeys(const TokenKey* keys, uint32_t n, float* logits) {
  uint32_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const UintTag tag;
  const Int32Tag signed_tag;
  for (; i + kFloatLanes <= n; i += kFloatLanes) {
    const auto low = hn::BitCast(tag, hn::LoadU(KeyTag(), keys + i));
    const auto high = hn::BitCast(tag, hn::LoadU(KeyTag(), keys + i + kFloatLanes / 2));
    const auto biased = hn::ConcatOdd(tag, high, low);  // the upper halves
    const auto key = hn::BitCast(signed_tag, hn::Xor(biased, hn::Set(tag, 0x80000000u)));
    const auto magnitude = hn::BitCast(FloatTag(), hn::Abs(key));
    const auto sign = hn::And(hn::BitCast(FloatTag(), key), hn::Set(FloatTag(), -0.0f));
    hn::StoreU(hn::Or(magnitude, sign), FloatTag(), logits + i);
  }
#endif
  for (; i < n; ++i) logits[i] = FromOrderKey(OrderKeyOf(keys[i]));
}

inline HWY_NOINLINE void WeighKeyList(const Weigher& weigher, const TokenKey* keys, uint32_t n,
                                      uint64_t* weights) {
  HWY_ALIGN float logits[kChunkIds];
  for (uint32_t done = 0; done < n; done += kChunkIds) {
    const uint32_t count = n - done < kChunkIds ? n - done : kChunkIds;
    LogitsOfKeys(keys + done, count, logits);
    WeighLogits(weigher, logits, count, weights + done);
  }
}

inline HWY_NOINLINE uint64_t ListMassAbove(const TokenKey* keys, const uint64_t* weights,
                                           uint32_t n, TokenKey pivot) {
  const KeyTag tag;
  const uint32_t lanes = static_cast<uint32_t>(hn::Lanes(tag));
  const auto limit = hn::Set(tag, pivot);
  auto sums = hn::Zero(tag);
  uint32_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto above = hn::Gt(hn::LoadU(tag, keys + i), limit);
    sums = hn::Add(sums, hn::IfThenElseZero(above, hn::LoadU(tag, weights + i)));
  }
  // Lane by lane: the library's own sum is a signed one on AVX-512, and 2^63 is a possible total.
  HWY_ALIGN uint64_t partial[hn::MaxLanes(KeyTag())];
  hn::Store(sums, tag, partial);
  uint64_t mass = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) mass += partial[lane];
  for (; i < n; ++i) mass += keys[i] > pivot ? weights[i] : 0;
  return mass;
}

inline HWY_NOINLINE uint64_t ListCountAbove(const TokenKey* keys, uint32_t n, TokenKey pivot) {
  const KeyTag tag;
  const uint32_t lanes = static_cast<uint32_t>(hn::Lanes(tag));
  const auto limit = hn::Set(tag, pivot);
  uint64_t count = 0;
  uint32_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    count += hn::CountTrue(tag, hn::Gt(hn::LoadU(tag, keys + i), limit));
  }
  for (; i < n; ++i) count += keys[i] > pivot ? 1 : 0;
  return count;
}

// Which keys stay cannot be predicted, so no branch asks.
HWY_NOINLINE inline uint32_t KeepListBetween(const TokenKey* keys, const uint64_t* weights,
                                             uint32_t n, TokenKey lo, TokenKey hi,
                                             TokenKey* out_keys, uint64_t* out_weights) {
  uint32_t kept = 0;
  uint32_t i = 0;
#if HWY_TARGET == HWY_AVX3
  const KeyTag tag;
  const uint32_t lanes = static_cast<uint32_t>(hn::Lanes(tag));
  const auto lower = hn::Set(tag, lo);
  const auto upper = hn::Set(tag, hi);
  // Whole vectors are written at `kept` <= i, over what was read already.
  for (; i + lanes <= n; i += lanes) {
    const auto key = hn::LoadU(tag, keys + i);
    const auto inside = hn::Not(hn::Or(hn::Lt(key, lower), hn::Gt(key, upper)));
    if (weights != nullptr) {
      hn::StoreU(hn::Compress(hn::LoadU(tag, weights + i), inside), tag, out_weights + kept);
    }
    hn::StoreU(hn::Compress(key, inside), tag, out_keys + kept);
    kept += static_cast<uint32_t>(hn::CountTrue(tag, inside));
  }
#endif
  for (; i < n; ++i) {
    const TokenKey key = keys[i];
    if (weights != nullptr) out_weights[kept] = weights[i];
    out_keys[kept] = key;
    kept += static_cast<uint32_t>(key - lo <= hi - lo);
  }
  return kept;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_LISTS_INL_H_

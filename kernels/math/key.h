// The total order of a row's tokens: larger logit first, then lower id, as plain integers.
#ifndef TESSERA_KERNELS_MATH_KEY_H_
#define TESSERA_KERNELS_MATH_KEY_H_

#include <cstdint>

#include "kernels/math/host_device.h"

namespace tessera {

inline constexpr int32_t kOrderKeyPosInf = 0x7F800000;
inline constexpr int32_t kOrderKeyNegInf = -0x7F800000;
inline constexpr int32_t kOrderKeyMaxFinite = 0x7F7FFFFF;
inline constexpr int32_t kOrderKeyMinFinite = -0x7F7FFFFF;

// An integer ordered as the floats are. -0 and +0 are one value and both give 0. A NaN lies
// outside [kOrderKeyNegInf, kOrderKeyPosInf].
TESSERA_HD inline int32_t OrderKey(float y) {
  const int32_t magnitude = static_cast<int32_t>(BitsOf(y) & 0x7FFFFFFFu);
  return static_cast<int32_t>(BitsOf(y)) < 0 ? -magnitude : magnitude;
}

// The float with this key; +0 for key 0.
TESSERA_HD inline float FromOrderKey(int32_t key) {
  return key < 0 ? FloatOf(0x80000000u | static_cast<uint32_t>(-key))
                 : FloatOf(static_cast<uint32_t>(key));
}

// One token of a row. Keys of one row are distinct; the larger key comes first.
using TokenKey = uint64_t;

TESSERA_HD inline TokenKey MakeTokenKey(int32_t order_key, int32_t id) {
  const uint32_t biased = static_cast<uint32_t>(order_key) ^ 0x80000000u;
  return static_cast<uint64_t>(biased) << 32 | (0xFFFFFFFFu - static_cast<uint32_t>(id));
}

TESSERA_HD inline int32_t IdOf(TokenKey key) {
  return static_cast<int32_t>(0xFFFFFFFFu - static_cast<uint32_t>(key));
}

TESSERA_HD inline int32_t OrderKeyOf(TokenKey key) {
  return static_cast<int32_t>(static_cast<uint32_t>(key >> 32) ^ 0x80000000u);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_KEY_H_

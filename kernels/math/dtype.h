// Conversions between float32 and the two 16-bit input types, in integers: exact on the way in,
// round to nearest even on the way out. No hardware conversion, so no flush of subnormals.
#ifndef TESSERA_KERNELS_MATH_DTYPE_H_
#define TESSERA_KERNELS_MATH_DTYPE_H_

#include <cstdint>

#include "kernels/math/host_device.h"

namespace tessera {

TESSERA_HD inline float FromBfloat16(uint16_t bits) {
  return FloatOf(static_cast<uint32_t>(bits) << 16);
}

TESSERA_HD inline float FromFloat16(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1Fu;
  const uint32_t fraction = bits & 0x3FFu;
  if (exponent == 31) return FloatOf(sign | 0x7F800000u | fraction << 13);
  if (exponent != 0) return FloatOf(sign | (exponent + 112) << 23 | fraction << 13);
  // Subnormal: fraction * 2^-24, which float32 holds as a normal number (or zero).
  return FloatOf(sign | BitsOf(static_cast<float>(fraction) * 0x1p-24f));
}

// NaN stays NaN (quiet); beyond the largest finite value by half a unit or more gives infinity.
TESSERA_HD inline uint16_t ToBfloat16(float value) {
  const uint32_t bits = BitsOf(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<uint16_t>(bits >> 16 | 0x40u);
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

TESSERA_HD inline uint16_t ToFloat16(float value) {
  const uint32_t sign = BitsOf(value) >> 16 & 0x8000u;
  const uint32_t magnitude = BitsOf(value) & 0x7FFFFFFFu;
  uint32_t half;
  if (magnitude > 0x7F800000u) {
    half = 0x7E00u | (magnitude >> 13 & 0x3FFu);  // NaN
  } else if (magnitude >= 0x477FF000u) {          // 65520, halfway between 65504 and 2^16
    half = 0x7C00u;
  } else if (magnitude >= 0x38800000u) {  // 2^-14, the smallest normal half
    half = (magnitude - (112u << 23) + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13;
  } else if (magnitude < 0x33000000u) {  // below 2^-25, half of the smallest subnormal
    half = 0;
  } else {
    const uint32_t significand = (magnitude & 0x7FFFFFu) | 0x800000u;
    const uint32_t shift = 126 - (magnitude >> 23);  // 14..24; the unit is 2^-24
    const uint32_t kept = significand >> shift;
    half = (significand + (1u << (shift - 1)) - 1 + (kept & 1u)) >> shift;
  }
  return static_cast<uint16_t>(sign | half);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_DTYPE_H_

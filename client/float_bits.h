// Rounds binary32 values to the 16-bit formats that logits travel in.
#ifndef TESSERA_CLIENT_FLOAT_BITS_H_
#define TESSERA_CLIENT_FLOAT_BITS_H_

#include <bit>
#include <cstdint>

namespace tessera {

// Nearest bfloat16, ties to even; a NaN stays a NaN.
constexpr uint16_t Bfloat16Bits(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

// Nearest IEEE binary16, ties to even; beyond 65504 infinity, a NaN stays a NaN.
constexpr uint16_t Float16Bits(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return static_cast<uint16_t>(sign | 0x7E00);
  if (magnitude >= 0x477FF000) return static_cast<uint16_t>(sign | 0x7C00);  // rounds to 2^16
  if (magnitude < 0x38800000) {
    // Below 2^-14: the sum's last bit is worth 2^-24, a subnormal's unit, and the addition rounds.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3F000000));
  }
  const uint32_t rebased = magnitude - 0x38000000;  // exponent bias 127 -> 15
  return static_cast<uint16_t>(sign | (rebased + 0xFFF + (rebased >> 13 & 1)) >> 13);
}

}  // namespace tessera

#endif  // TESSERA_CLIENT_FLOAT_BITS_H_

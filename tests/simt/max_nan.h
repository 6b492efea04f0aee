// Maxima that show NaN, of floats and of pairs of 16-bit ones (max.NaN).
#ifndef TESSERA_TESTS_SIMT_MAX_NAN_H_
#define TESSERA_TESTS_SIMT_MAX_NAN_H_

#include <cstdint>
#include <limits>

namespace simt {

// The larger; NaN if either is. +0 is larger than -0.
inline float MaxNan(float a, float b) {
  if (a != a || b != b) return std::numeric_limits<float>::quiet_NaN();
  if (a == b) return __builtin_signbit(a) != 0 ? b : a;
  return a > b ? a : b;
}

namespace emulator {

// One 16-bit float, whose infinity has the bits `infinity`; beyond them is NaN.
inline uint32_t MaxNan16(uint32_t a, uint32_t b, uint32_t infinity) {
  if ((a & 0x7FFFu) > infinity || (b & 0x7FFFu) > infinity) return 0x7FFFu;
  const auto order = [](uint32_t bits) {
    const auto magnitude = static_cast<int32_t>(bits & 0x7FFFu);
    return (bits & 0x8000u) != 0 ? -magnitude - 1 : magnitude;  // -0 below +0
  };
  return order(a) > order(b) ? a : b;
}

inline uint32_t MaxNanPair(uint32_t a, uint32_t b, uint32_t infinity) {
  return MaxNan16(a & 0xFFFFu, b & 0xFFFFu, infinity) | MaxNan16(a >> 16, b >> 16, infinity) << 16;
}

}  // namespace emulator

inline uint32_t MaxNanHalf2(uint32_t a, uint32_t b) { return emulator::MaxNanPair(a, b, 0x7C00u); }
inline uint32_t MaxNanBfloat2(uint32_t a, uint32_t b) {
  return emulator::MaxNanPair(a, b, 0x7F80u);
}

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_MAX_NAN_H_

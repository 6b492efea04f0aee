// Unsigned integers of 128 and 192 bits, and the exact product of a double and a weight, rounded up
// or down. Plain 64-bit code, so that host and device run the same.
#ifndef TESSERA_KERNELS_MATH_WIDE_H_
#define TESSERA_KERNELS_MATH_WIDE_H_

#include <cstdint>

#include "kernels/math/host_device.h"

namespace tessera {

struct U128 {
  uint64_t hi = 0;
  uint64_t lo = 0;
};

struct U192 {
  uint64_t hi = 0;
  uint64_t mid = 0;
  uint64_t lo = 0;
};

TESSERA_HD inline U128 Multiply(uint64_t a, uint64_t b) {
  const uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32;
  const uint64_t b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
  const uint64_t low = a0 * b0;
  const uint64_t cross = a1 * b0 + (low >> 32);             // fits: (2^32-1)^2 + 2^32 - 1
  const uint64_t middle = a0 * b1 + (cross & 0xFFFFFFFFu);  // likewise
  return {a1 * b1 + (cross >> 32) + (middle >> 32), middle << 32 | (low & 0xFFFFFFFFu)};
}

// The upper half of a * b.
TESSERA_HD inline uint64_t MulHi64(uint64_t a, uint64_t b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  return Multiply(a, b).hi;
#endif
}

TESSERA_HD inline bool operator==(U128 a, U128 b) { return a.hi == b.hi && a.lo == b.lo; }
TESSERA_HD inline bool operator<(U128 a, U128 b) {
  return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
}
TESSERA_HD inline bool operator>(U128 a, U128 b) { return b < a; }
TESSERA_HD inline bool operator<=(U128 a, U128 b) { return !(b < a); }
TESSERA_HD inline bool operator>=(U128 a, U128 b) { return !(a < b); }

// Sums and differences wrap at 2^128.
TESSERA_HD inline U128 operator+(U128 a, U128 b) {
  const uint64_t lo = a.lo + b.lo;
  return {a.hi + b.hi + (lo < a.lo ? 1u : 0u), lo};
}
TESSERA_HD inline U128 operator-(U128 a, U128 b) {
  return {a.hi - b.hi - (a.lo < b.lo ? 1u : 0u), a.lo - b.lo};
}

TESSERA_HD inline bool operator==(U192 a, U192 b) {
  return a.hi == b.hi && a.mid == b.mid && a.lo == b.lo;
}
TESSERA_HD inline bool operator<(U192 a, U192 b) {
  if (a.hi != b.hi) return a.hi < b.hi;
  return U128{a.mid, a.lo} < U128{b.mid, b.lo};
}
TESSERA_HD inline bool operator>(U192 a, U192 b) { return b < a; }
TESSERA_HD inline bool operator<=(U192 a, U192 b) { return !(b < a); }
TESSERA_HD inline bool operator>=(U192 a, U192 b) { return !(a < b); }

TESSERA_HD inline U192 Multiply(U128 a, uint64_t b) {
  const U128 low = Multiply(a.lo, b);
  const U128 high = Multiply(a.hi, b) + U128{0, low.hi};
  return {high.hi, high.lo, low.lo};
}

// The upper half of a * b.
TESSERA_HD inline U128 MulHi128(U128 a, U128 b) {
  const U192 low = Multiply(a, b.lo);
  const U192 high = Multiply(a, b.hi);
  const U128 carried = U128{high.mid, high.lo} + U128{low.hi, low.mid};
  const uint64_t carry = carried < U128{low.hi, low.mid} ? 1 : 0;
  return {high.hi + carry, carried.hi};
}

// floor(a / divisor). REQUIRES: divisor > 0.
TESSERA_HD inline U128 Divide(U128 a, uint64_t divisor) {
  U128 quotient{a.hi / divisor, 0};
  uint64_t rest = a.hi % divisor;
  for (int bit = 63; bit >= 0; --bit) {
    const bool carry = rest >> 63 != 0;  // doubling the rest may leave 64 bits
    rest = rest << 1 | (a.lo >> bit & 1u);
    if (carry || rest >= divisor) {
      rest -= divisor;
      quotient.lo |= uint64_t{1} << bit;
    }
  }
  return quotient;
}

// The nearest double, ties to even.
TESSERA_HD inline double ToDouble(U128 a) {
  if (a.hi == 0) return static_cast<double>(a.lo);
  double unit = 0x1p64;  // the value of the lowest bit of a.hi
  while (a.hi >> 63 == 0) {
    a = a + a;
    unit *= 0.5;
  }
  // Bits below the 64 kept ones can only break a tie: one sticky bit stands for them.
  return static_cast<double>(a.hi | (a.lo != 0 ? 1u : 0u)) * unit;
}

// p * w, p taken at its exact binary value: its floor, and whether that is all.
struct ScaledWeight {
  uint64_t floor;
  bool exact;
};

// REQUIRES: p in [0, 1].
TESSERA_HD inline ScaledWeight ScaleWeight(double p, uint64_t w) {
  const uint64_t exponent = BitsOf(p) >> 52 & 0x7FFu;
  const uint64_t fraction = BitsOf(p) & 0xFFFFFFFFFFFFFu;
  // p = significand * 2^-shift; shift is in [52, 1074].
  const uint64_t significand = exponent == 0 ? fraction : fraction | uint64_t{1} << 52;
  const uint64_t shift = exponent == 0 ? 1074 : 1075 - exponent;
  const U128 product = Multiply(significand, w);  // below 2^117
  if (shift >= 117) return {0, product == U128{}};
  if (shift >= 64) {
    const uint64_t s = shift - 64;
    const uint64_t dropped = product.lo | (product.hi & ((uint64_t{1} << s) - 1));
    return {product.hi >> s, dropped == 0};
  }
  const uint64_t kept = product.hi << (64 - shift) | product.lo >> shift;
  return {kept, (product.lo & ((uint64_t{1} << shift) - 1)) == 0};
}

// ceil(p * w) and floor(p * w). REQUIRES: p in [0, 1].
TESSERA_HD inline uint64_t CeilMul(double p, uint64_t w) {
  const ScaledWeight scaled = ScaleWeight(p, w);
  return scaled.floor + (scaled.exact ? 0 : 1);
}
TESSERA_HD inline uint64_t FloorMul(double p, uint64_t w) { return ScaleWeight(p, w).floor; }

// ceil(m * 2^44): the smallest weight that is at least m times the largest. REQUIRES: m in [0, 1].
TESSERA_HD inline uint64_t CeilScale(double m) { return CeilMul(m, uint64_t{1} << 44); }

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_WIDE_H_

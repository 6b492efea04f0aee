// Fractions of up to 256-bit integers, and their exact comparison with a random word. Host only.
#ifndef TESSERA_KERNELS_VERIFICATION_RATIO_H_
#define TESSERA_KERNELS_VERIFICATION_RATIO_H_

#include <array>
#include <bit>
#include <cstdint>

#include "kernels/math/wide.h"

namespace tessera {

// An unsigned integer below 2^256. Sums, products and shifts wrap; callers stay below.
struct U256 {
  std::array<uint64_t, 4> words = {};  // the lowest first

  constexpr U256() = default;
  constexpr U256(uint64_t low) : words{low, 0, 0, 0} {}      // NOLINT: a wider integer
  constexpr U256(U128 low) : words{low.lo, low.hi, 0, 0} {}  // NOLINT: likewise
};

inline bool operator==(const U256& a, const U256& b) { return a.words == b.words; }

inline bool operator<(const U256& a, const U256& b) {
  for (int i = 3; i > 0; --i) {
    if (a.words[i] != b.words[i]) return a.words[i] < b.words[i];
  }
  return a.words[0] < b.words[0];
}
inline bool operator<=(const U256& a, const U256& b) { return !(b < a); }

inline U256 operator+(const U256& a, const U256& b) {
  U256 sum;
  uint64_t carry = 0;
  for (int i = 0; i < 4; ++i) {
    const uint64_t partial = a.words[i] + carry;
    sum.words[i] = partial + b.words[i];
    carry = (partial < carry ? 1u : 0u) + (sum.words[i] < partial ? 1u : 0u);
  }
  return sum;
}

inline U256 operator-(const U256& a, const U256& b) {
  U256 difference;
  uint64_t borrow = 0;
  for (int i = 0; i < 4; ++i) {
    const uint64_t partial = a.words[i] - b.words[i];
    difference.words[i] = partial - borrow;
    borrow = (a.words[i] < b.words[i] ? 1u : 0u) + (partial < borrow ? 1u : 0u);
  }
  return difference;
}

inline U256 operator*(const U256& a, uint64_t b) {
  U256 product;
  uint64_t carry = 0;
  for (int i = 0; i < 4; ++i) {
    const U128 word = Multiply(a.words[i], b) + U128{0, carry};
    product.words[i] = word.lo;
    carry = word.hi;
  }
  return product;
}

// REQUIRES: shift < 256.
inline U256 operator<<(const U256& a, int shift) {
  U256 shifted;
  const int skipped = shift / 64;
  const int bits = shift % 64;
  for (int i = 3; i >= skipped; --i) {
    shifted.words[i] = a.words[i - skipped] << bits;
    if (bits != 0 && i > skipped) shifted.words[i] |= a.words[i - skipped - 1] >> (64 - bits);
  }
  return shifted;
}

// The number of bits of `a`, 0 for 0.
inline int BitWidth(const U256& a) {
  for (int i = 3; i >= 0; --i) {
    if (a.words[i] != 0) return 64 * i + static_cast<int>(std::bit_width(a.words[i]));
  }
  return 0;
}

// REQUIRES: a < 2^128.
inline U128 LowWords(const U256& a) { return {a.words[1], a.words[0]}; }

struct QuotientAndRest {
  U256 quotient;
  U256 rest;
};

// floor(a / b) and what is left; one step per bit of the quotient. REQUIRES: b > 0.
inline QuotientAndRest Divide(const U256& a, const U256& b) {
  QuotientAndRest result{{}, a};
  for (int bit = BitWidth(a) - BitWidth(b); bit >= 0; --bit) {
    const U256 multiple = b << bit;
    if (result.rest < multiple) continue;
    result.rest = result.rest - multiple;
    result.quotient.words[bit / 64] |= uint64_t{1} << (bit % 64);
  }
  return result;
}

// A probability, or more than 1, which accepts always. REQUIRES: 0 < den < 2^192, num < 2^192.
struct Ratio {
  U256 num;
  U256 den = uint64_t{1};
};

inline bool IsOne(const Ratio& ratio) { return ratio.den <= ratio.num; }

// Whether u / 2^64 < num / den, strictly: a probability of 0 is never below any word.
inline bool WordBelow(uint64_t u, const Ratio& ratio) { return ratio.den * u < (ratio.num << 64); }

// The nearest double, or one beside it: for people, it decides nothing.
inline double ToDouble(const U256& a) {
  double value = 0;
  for (int i = 3; i >= 0; --i) value = value * 0x1p64 + static_cast<double>(a.words[i]);
  return value;
}

// min(1, num / den).
inline double ProbabilityOf(const Ratio& ratio) {
  return IsOne(ratio) ? 1.0 : ToDouble(ratio.num) / ToDouble(ratio.den);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_RATIO_H_

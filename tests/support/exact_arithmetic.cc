#include "tests/support/exact_arithmetic.h"

#include <cmath>
#include <limits>

namespace tessera::oracle {
namespace {

// RN(a * b + c) in binary32. a * b is exact in double (24 + 24 bits), so the only question is
// whether adding c in double and rounding to float rounds twice; std::fma never does.
float Fma(float a, float b, float c) { return std::fma(a, b, c); }

// 2^(g - 1/2) for g in [0, 1]; positive coefficients, constant term first.
float Polynomial(float g) {
  constexpr float kCoefficients[] = {0x1.6a09e4p-1f, 0x1.f5e5a6p-2f, 0x1.5bc5a6p-3f,
                                     0x1.436c98p-5f, 0x1.a080c2p-8f, 0x1.5bba14p-10f};
  float sum = kCoefficients[5];
  for (int i = 4; i >= 0; --i) sum = Fma(sum, g, kCoefficients[i]);
  return sum;
}

struct Share {
  uint64_t floor;
  bool exact;  // nothing was cut off
};

Share ShareOf(double share, uint64_t total) {
  if (share == 0 || total == 0) return {0, true};
  int exponent = 0;
  const double fraction = std::frexp(share, &exponent);  // share = fraction * 2^exponent
  const auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, 53));
  const int shift = 53 - exponent;  // share = mantissa * 2^-shift, shift >= 52
  const Uint128 product = static_cast<Uint128>(mantissa) * total;
  if (shift >= 127) return {0, false};  // the product is below 2^117
  const Uint128 floor = product >> shift;
  return {static_cast<uint64_t>(floor), floor << shift == product};
}

uint64_t Word(uint64_t seed, uint32_t position, uint32_t stream, uint32_t purpose, uint32_t index) {
  const std::array<uint32_t, 4> out =
      Philox({position, stream, purpose, index},
             {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
  return out[0] | static_cast<uint64_t>(out[1]) << 32;
}

}  // namespace

float InverseTemperature(double temperature) {
  constexpr double kLog2E = 1.4426950408889634;
  return static_cast<float>(kLog2E / temperature);
}

uint64_t Weight(float d, float c) {
  if (d == -std::numeric_limits<float>::infinity()) return 0;
  // Exact: the product of two binary32 has at most 48 bits, and no double under- or overflows.
  const double bits = static_cast<double>(d) * static_cast<double>(c);
  if (bits < -150) return 0;
  // M = 1.5 * 2^23 is even, so rounding d * c + M to an integer is rounding d * c half to even.
  const double octave = std::nearbyint(bits);
  const float f = static_cast<float>(bits - octave);  // the difference is exact in double
  const float power = Polynomial(f + 0.5f);
  const double weight = std::ldexp(static_cast<double>(power), 44 + static_cast<int>(octave));
  return static_cast<uint64_t>(std::nearbyint(weight));
}

uint64_t Distance(float d, float c) {
  const float bits = -(d * c);  // RN in binary32; +inf for d = -inf
  const double units = static_cast<double>(bits) * 0x1p20;
  constexpr double kLargest = 44.0 * 0x1p20;
  return static_cast<uint64_t>(units >= kLargest ? kLargest : std::nearbyint(units));
}

uint64_t CeilShare(double share, uint64_t total) {
  const Share part = ShareOf(share, total);
  return part.floor + (part.exact ? 0 : 1);
}

uint64_t FloorShare(double share, uint64_t total) { return ShareOf(share, total).floor; }

uint64_t MulHigh(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>((static_cast<Uint128>(a) * b) >> 64);
}

std::array<uint32_t, 4> Philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t even = uint64_t{0xD2511F53} * counter[0];
    const uint64_t odd = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(odd >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(odd),
               static_cast<uint32_t>(even >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(even)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

uint64_t DrawWord(uint64_t seed, uint32_t position, uint32_t stream, uint32_t index) {
  constexpr uint32_t kDrawPurpose = 0;
  return Word(seed, position, stream, kDrawPurpose, index);
}

uint64_t XtcWord(uint64_t seed, uint32_t position, uint32_t stream) {
  constexpr uint32_t kXtcPurpose = 3;
  return Word(seed, position, stream, kXtcPurpose, 0);
}

}  // namespace tessera::oracle

// Rounding to 16-bit floats, checked against exact values of every 16-bit pattern.
#include "client/float_bits.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace tessera {
namespace {

double Float16Value(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

// All 63,488 finite patterns come back, and the midpoint to the next one goes to the even pattern.
TEST(Float16Bits, EveryFinitePatternAndEveryTie) {
  for (uint32_t sign : {0u, 0x8000u}) {
    for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
      const uint16_t pattern = static_cast<uint16_t>(sign | bits);
      const double value = Float16Value(pattern);
      ASSERT_EQ(Float16Bits(static_cast<float>(value)), pattern);
      const double next = bits == 0x7BFF ? std::copysign(65536.0, value)
                                         : Float16Value(static_cast<uint16_t>(pattern + 1));
      const float middle = static_cast<float>((value + next) / 2);
      ASSERT_EQ(Float16Bits(middle), pattern + (bits & 1)) << pattern;
      ASSERT_EQ(Float16Bits(std::nextafter(middle, 0.0f)), pattern);
      ASSERT_EQ(Float16Bits(std::nextafter(middle, static_cast<float>(next) * 2)), pattern + 1);
    }
  }
}

TEST(Float16Bits, NonFinite) {
  EXPECT_EQ(Float16Bits(std::numeric_limits<float>::infinity()), 0x7C00);
  EXPECT_EQ(Float16Bits(-1e9f), 0xFC00);
  EXPECT_GT(Float16Bits(std::nanf("")) & 0x7FFF, 0x7C00);
}

TEST(Bfloat16Bits, RoundsToNearestEven) {
  EXPECT_EQ(Bfloat16Bits(1.0f), 0x3F80);
  EXPECT_EQ(Bfloat16Bits(std::bit_cast<float>(0x3F808000u)), 0x3F80);  // a tie, down to even
  EXPECT_EQ(Bfloat16Bits(std::bit_cast<float>(0x3F818000u)), 0x3F82);  // a tie, up to even
  EXPECT_EQ(Bfloat16Bits(std::bit_cast<float>(0x3F808001u)), 0x3F81);
  EXPECT_EQ(Bfloat16Bits(std::numeric_limits<float>::max()), 0x7F80);
  EXPECT_EQ(Bfloat16Bits(-std::numeric_limits<float>::infinity()), 0xFF80);
  EXPECT_GT(Bfloat16Bits(std::bit_cast<float>(0x7F800001u)) & 0x7FFF, 0x7F80);
}

}  // namespace
}  // namespace tessera

// Every 16-bit pattern against its textbook value, and rounding at every midpoint.
#include "kernels/math/dtype.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tessera {
namespace {

struct Format {
  const char* name;
  int fraction_bits;
  int bias;
  float (*decode)(uint16_t);
  uint16_t (*encode)(float);
};

class DTypeTest : public testing::TestWithParam<Format> {
 protected:
  int MaxExponent() const { return (1 << (15 - GetParam().fraction_bits)) - 1; }

  // (-1)^sign * significand * 2^exponent, from the definition of the format.
  double Textbook(uint32_t bits) const {
    const auto& [name, fraction_bits, bias, decode, encode] = GetParam();
    const double sign = (bits & 0x8000u) != 0 ? -1 : 1;
    const int exponent = static_cast<int>(bits >> fraction_bits) & MaxExponent();
    const int fraction = static_cast<int>(bits & ((1u << fraction_bits) - 1));
    if (exponent == MaxExponent()) return fraction != 0 ? NAN : sign * INFINITY;
    const int hidden = exponent == 0 ? 0 : 1 << fraction_bits;
    return sign * std::ldexp(fraction + hidden, std::max(exponent, 1) - bias - fraction_bits);
  }
};

TEST_P(DTypeTest, EveryPatternDecodesToItsTextbookValue) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double want = Textbook(bits);
    const float got = GetParam().decode(static_cast<uint16_t>(bits));
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(got)) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(got), want) << bits;
    ASSERT_EQ(std::signbit(got), (bits & 0x8000u) != 0) << bits;
    ASSERT_EQ(GetParam().encode(got), bits);
  }
}

TEST_P(DTypeTest, NanStaysNanWithItsSign) {
  for (uint32_t bits : {0x7F800001u, 0x7FC00000u, 0x7FFFFFFFu, 0x7F801FFFu, 0x7F80FFFFu}) {
    for (uint32_t sign : {0u, 0x80000000u}) {
      const uint16_t encoded = GetParam().encode(FloatOf(sign | bits));
      EXPECT_TRUE(std::isnan(GetParam().decode(encoded))) << std::hex << bits;
      EXPECT_EQ(encoded >> 15, sign >> 31);
    }
  }
}

// Between two neighbours the rounding can only change at the midpoint: it is checked there, one
// float below and one float above, for every pair of neighbours, and for the step to infinity.
TEST_P(DTypeTest, RoundsToNearestEvenAtEveryMidpoint) {
  const uint32_t infinity = static_cast<uint32_t>(MaxExponent()) << GetParam().fraction_bits;
  for (uint32_t bits = 0; bits < infinity; ++bits) {
    const double below = Textbook(bits);
    // Above the largest finite value the next step has the same size.
    const double above =
        bits + 1 < infinity ? Textbook(bits + 1) : below + (below - Textbook(bits - 1));
    const float middle = static_cast<float>((below + above) / 2);
    ASSERT_EQ(static_cast<double>(middle), (below + above) / 2);
    const uint32_t even = (bits & 1u) == 0 ? bits : bits + 1;
    for (uint32_t sign : {0u, 0x8000u}) {
      const auto encode = [&](uint32_t pattern) {
        return GetParam().encode(FloatOf(pattern | sign << 16));
      };
      ASSERT_EQ(encode(BitsOf(middle)), even | sign) << bits;
      ASSERT_EQ(encode(BitsOf(middle) - 1), bits | sign) << bits;
      ASSERT_EQ(encode(BitsOf(middle) + 1), (bits + 1) | sign) << bits;
    }
  }
}

TEST_P(DTypeTest, InfinityAndBeyondTheLargestValue) {
  const uint16_t infinity = GetParam().encode(INFINITY);
  EXPECT_EQ(GetParam().decode(infinity), INFINITY);
  EXPECT_EQ(GetParam().encode(std::numeric_limits<float>::max()), infinity);
  EXPECT_EQ(GetParam().encode(-INFINITY), infinity | 0x8000);
}

// 2,000,000 pairs of random floats.
TEST_P(DTypeTest, RoundingIsMonotone) {
  std::mt19937 random(7);
  for (int i = 0; i < 2'000'000; ++i) {
    const float a = FloatOf(static_cast<uint32_t>(random()) & 0x7FFFFFFFu);
    const float b = FloatOf(BitsOf(a) + random() % 4096);
    if (!(a < b)) continue;
    ASSERT_LE(GetParam().encode(a), GetParam().encode(b)) << a << " " << b;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DTypeTest,
                         testing::Values(Format{"Float16", 10, 15, FromFloat16, ToFloat16},
                                         Format{"Bfloat16", 7, 127, FromBfloat16, ToBfloat16}),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace tessera

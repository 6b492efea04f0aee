// Wide integers against the compiler's 128-bit type, and exact ceilings against fractions.
#include "kernels/math/wide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/math/golden_scalar_table.h"

namespace tessera {
namespace {

__extension__ typedef unsigned __int128 Wide;

Wide Join(U128 x) { return Wide{x.hi} << 64 | x.lo; }

// Random words with long runs of equal bits, so that carries travel.
class WideTest : public testing::Test {
 protected:
  uint64_t Word() {
    switch (random_() % 6) {
      case 0:
        return 0;
      case 1:
        return ~uint64_t{0};
      case 2:
        return uint64_t{1} << random_() % 64;
      case 3:
        return (uint64_t{1} << random_() % 64) - 1;
      case 4:
        return random_() >> random_() % 64;
      default:
        return random_();
    }
  }
  U128 Pair() { return {Word(), Word()}; }

  std::mt19937_64 random_{5};
};

constexpr int kCases = 1'000'000;

TEST_F(WideTest, SumsAndOrder) {
  for (int i = 0; i < kCases; ++i) {
    const U128 a = Pair(), b = random_() % 8 == 0 ? a : Pair();
    ASSERT_TRUE(Join(a + b) == static_cast<Wide>(Join(a) + Join(b)));
    ASSERT_TRUE(Join(a - b) == static_cast<Wide>(Join(a) - Join(b)));
    ASSERT_EQ(a < b, Join(a) < Join(b));
    ASSERT_EQ(a > b, Join(a) > Join(b));
    ASSERT_EQ(a <= b, Join(a) <= Join(b));
    ASSERT_EQ(a >= b, Join(a) >= Join(b));
    ASSERT_EQ(a == b, Join(a) == Join(b));
  }
}

TEST_F(WideTest, Products) {
  for (int i = 0; i < kCases; ++i) {
    const uint64_t a = Word(), b = Word();
    ASSERT_TRUE(Join(Multiply(a, b)) == Wide{a} * b);
    ASSERT_EQ(MulHi64(a, b), static_cast<uint64_t>((Wide{a} * b) >> 64));
    const U128 wide = Pair();
    const U192 product = Multiply(wide, b);
    const Wide low = Wide{wide.lo} * b;
    const Wide high = Wide{wide.hi} * b + (low >> 64);
    ASSERT_EQ(product.lo, static_cast<uint64_t>(low));
    ASSERT_TRUE(Join({product.hi, product.mid}) == high);
    // The upper half by the lower half's digits: all four partial products, carries by hand.
    const U128 other = Pair();
    const Wide cross = Wide{wide.hi} * other.lo + (Wide{wide.lo} * other.lo >> 64);
    const Wide middle = Wide{wide.lo} * other.hi + static_cast<uint64_t>(cross);
    ASSERT_TRUE(Join(MulHi128(wide, other)) ==
                Wide{wide.hi} * other.hi + (cross >> 64) + (middle >> 64));
  }
}

TEST_F(WideTest, OrderOf192Bits) {
  for (int i = 0; i < kCases; ++i) {
    const U192 a{Word() % 3, Word() % 3, Word() % 3}, b{Word() % 3, Word() % 3, Word() % 3};
    const uint64_t small_a = a.hi * 9 + a.mid * 3 + a.lo, small_b = b.hi * 9 + b.mid * 3 + b.lo;
    ASSERT_EQ(a < b, small_a < small_b);
    ASSERT_EQ(a > b, small_a > small_b);
    ASSERT_EQ(a <= b, small_a <= small_b);
    ASSERT_EQ(a >= b, small_a >= small_b);
    ASSERT_EQ(a == b, small_a == small_b);
  }
}

TEST_F(WideTest, Quotients) {
  for (int i = 0; i < kCases; ++i) {
    const U128 a = Pair();
    const uint64_t divisor = std::max<uint64_t>(Word(), 1);
    ASSERT_TRUE(Join(Divide(a, divisor)) == Join(a) / divisor);
  }
}

TEST_F(WideTest, NearestDouble) {
  for (int i = 0; i < kCases; ++i) {
    const U128 a = Pair();
    ASSERT_EQ(ToDouble(a), static_cast<double>(Join(a))) << a.hi << " " << a.lo;
  }
  // A tie that only a bit far below breaks.
  EXPECT_EQ(ToDouble({uint64_t{1} << 63 | 1u << 10, 0}), 0x1p127);
  EXPECT_EQ(ToDouble({uint64_t{1} << 63 | 1u << 10, 1}), 0x1.0000000000001p127);
}

TEST(CeilMulTest, EqualsFractions) {
  for (const GoldenCeiling& row : kGoldenCeilings) {
    EXPECT_EQ(CeilMul(row.p, row.w), row.result) << std::hexfloat << row.p << " * " << row.w;
  }
}

// 1,000,000 random (p, w): the result r is the one integer with r - 1 < p * w <= r.
TEST_F(WideTest, CeilMulBrackets) {
  for (int i = 0; i < kCases; ++i) {
    int exponent;
    const double p = static_cast<double>(random_() >> 11) * 0x1p-53;
    const double fraction = std::frexp(p, &exponent);
    const uint64_t significand = static_cast<uint64_t>(std::ldexp(fraction, 53));
    const int shift = 53 - exponent;  // p = significand * 2^-shift
    if (p == 0 || shift > 100) continue;
    const uint64_t w = Word() >> 20;
    const Wide product = Wide{significand} * w;  // below 2^97
    const uint64_t r = CeilMul(p, w);
    ASSERT_TRUE(r == static_cast<uint64_t>(product >> shift) +
                         ((product >> shift) << shift != product ? 1 : 0));
  }
}

TEST(CeilMulTest, Ends) {
  EXPECT_EQ(CeilMul(0.0, ~uint64_t{0}), 0u);
  EXPECT_EQ(CeilMul(-0.0, 5), 0u);
  EXPECT_EQ(CeilMul(1.0, ~uint64_t{0}), ~uint64_t{0});
  EXPECT_EQ(CeilMul(5e-324, 1), 1u);  // the smallest denormal still asks for something
  EXPECT_EQ(CeilMul(5e-324, 0), 0u);
  EXPECT_EQ(CeilMul(0.375, 8), 3u);
  // The largest shift at which the product can still reach one: just below 2.
  EXPECT_EQ(CeilMul(0x1.fffffffffffffp-64, ~uint64_t{0}), 2u);
}

TEST(CeilScaleTest, IsInUnitsOfTheLargestWeight) {
  EXPECT_EQ(CeilScale(0.0), 0u);
  EXPECT_EQ(CeilScale(1.0), uint64_t{1} << 44);
  EXPECT_EQ(CeilScale(0.5), uint64_t{1} << 43);
  EXPECT_EQ(CeilScale(0x1p-44), 1u);
  EXPECT_EQ(CeilScale(0x1.8p-44), 2u);
  EXPECT_EQ(CeilScale(0x1p-1000), 1u);
}

}  // namespace
}  // namespace tessera

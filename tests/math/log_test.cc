// Logarithms, exponential and power: golden bits, the stated error bounds, and the ends.
#include "kernels/math/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/math/golden_scalar_table.h"

namespace tessera {
namespace {

constexpr int kCases = 1'000'000;

// The error of `got` in units of the last place of a double near `want`.
double Units(double got, long double want) {
  int exponent;
  std::frexp(want, &exponent);
  const long double unit = std::ldexp(1.0L, std::max(exponent - 53, -1074));
  return static_cast<double>(std::fabs(got - want) / unit);
}

class ScalarTest : public testing::Test {
 protected:
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  // Every binade alike, subnormals among them.
  double Positive() {
    while (true) {
      const double x = DoubleOf(random_() >> 1);
      if (x > 0 && x <= std::numeric_limits<double>::max()) return x;
    }
  }
  std::mt19937_64 random_{17};
};

TEST(GoldenScalarTest, Bits) {
  for (const auto& row : kGoldenLogs) EXPECT_EQ(BitsOf(Log(row.x)), BitsOf(row.result)) << row.x;
  for (const auto& row : kGoldenLog2s) EXPECT_EQ(BitsOf(Log2(row.x)), BitsOf(row.result)) << row.x;
  for (const auto& row : kGoldenExps) EXPECT_EQ(BitsOf(Exp(row.x)), BitsOf(row.result)) << row.x;
  for (const auto& row : kGoldenPowers) {
    EXPECT_EQ(BitsOf(Pow(row.x, row.y)), BitsOf(row.result)) << row.x << "^" << row.y;
  }
}

TEST_F(ScalarTest, LogError) {
  double worst = 0, worst_base2 = 0;
  for (int i = 0; i < kCases; ++i) {
    const double x = i % 2 == 0 ? Positive() : Uniform(0.4, 2.5);
    worst = std::max(worst, Units(Log(x), std::log(static_cast<long double>(x))));
    worst_base2 = std::max(worst_base2, Units(Log2(x), std::log2(static_cast<long double>(x))));
  }
  RecordProperty("worst_units", std::to_string(worst) + " " + std::to_string(worst_base2));
  EXPECT_LT(worst, 0.51);
  EXPECT_LT(worst_base2, 0.51);
}

TEST_F(ScalarTest, ExpError) {
  double worst = 0;
  for (int i = 0; i < kCases; ++i) {
    const double x = i % 2 == 0 ? Uniform(-708, 709) : Uniform(-1, 1);
    worst = std::max(worst, Units(Exp(x), std::exp(static_cast<long double>(x))));
  }
  RecordProperty("worst_units", std::to_string(worst));
  EXPECT_LT(worst, 0.53);
  for (int i = 0; i < kCases / 10; ++i) {  // subnormal results: one rounding more
    const double x = Uniform(-745, -708);
    ASSERT_LT(Units(Exp(x), std::exp(static_cast<long double>(x))), 1.01) << x;
  }
}

TEST_F(ScalarTest, PowError) {
  double worst = 0, worst_far = 0;
  for (int i = 0; i < kCases; ++i) {
    const double x = Uniform(0, i % 2 == 0 ? 1 : 1000);
    const double y = Uniform(-40, 40) / std::log(x);
    const auto units = [x](double e) {
      return Units(Pow(x, e), std::pow(static_cast<long double>(x), static_cast<long double>(e)));
    };
    if (std::fabs(y) < 1e4) worst = std::max(worst, units(y));
    if (std::fabs(y) < 1e4) worst_far = std::max(worst_far, units(17 * y));
  }
  RecordProperty("worst_units", std::to_string(worst) + " " + std::to_string(worst_far));
  EXPECT_LT(worst, 0.56);
  EXPECT_LT(worst_far, 1.5);
}

TEST(LogTest, Ends) {
  EXPECT_EQ(Log(1.0), 0.0);
  EXPECT_EQ(Log(0.0), -INFINITY);
  EXPECT_EQ(Log(-0.0), -INFINITY);
  EXPECT_EQ(Log(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(Log(-1.0)));
  EXPECT_TRUE(std::isnan(Log(NAN)));
  EXPECT_EQ(Log2(0.0), -INFINITY);
  EXPECT_TRUE(std::isnan(Log2(-1.0)));
  for (int e = -1074; e <= 1023; ++e) EXPECT_EQ(Log2(std::ldexp(1.0, e)), e);
}

TEST(ExpTest, Ends) {
  EXPECT_EQ(Exp(0.0), 1.0);
  EXPECT_EQ(Exp(-INFINITY), 0.0);
  EXPECT_EQ(Exp(INFINITY), INFINITY);
  EXPECT_EQ(Exp(709.783), INFINITY);
  EXPECT_LT(Exp(709.782), INFINITY);
  EXPECT_EQ(Exp(-746.0), 0.0);
  EXPECT_EQ(Exp(-745.1), 5e-324);
  EXPECT_TRUE(std::isnan(Exp(NAN)));
}

TEST(PowTest, Ends) {
  EXPECT_EQ(Pow(0.0, 2.0), 0.0);
  EXPECT_EQ(Pow(0.0, -2.0), INFINITY);
  EXPECT_EQ(Pow(0.0, 0.0), 1.0);
  EXPECT_EQ(Pow(1.0, INFINITY), 1.0);
  EXPECT_EQ(Pow(2.0, 10.0), 1024.0);
  EXPECT_EQ(Pow(2.0, -1074.0), 5e-324);
  EXPECT_EQ(Pow(0.5, 2000.0), 0.0);
  EXPECT_EQ(Pow(2.0, INFINITY), INFINITY);
  EXPECT_EQ(Pow(2.0, -INFINITY), 0.0);
  EXPECT_EQ(Pow(INFINITY, -1.0), 0.0);
  EXPECT_TRUE(std::isnan(Pow(-1.0, 2.0)));
  EXPECT_TRUE(std::isnan(Pow(2.0, NAN)));
}

}  // namespace
}  // namespace tessera

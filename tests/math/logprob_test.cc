// Log-probabilities against extended precision, rounded once.
#include "kernels/math/logprob.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tessera {
namespace {

// 1,000,000 random tokens: the float is the nearest to the exact value.
TEST(LogprobTest, IsTheNearestFloat) {
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> logit(-40, 30), log_temperature(-2, 2);
  for (int i = 0; i < 1'000'000; ++i) {
    const float y_max = static_cast<float>(logit(random));
    const float y = std::min(y_max, static_cast<float>(logit(random)));
    const double temperature = std::exp(log_temperature(random));
    const uint64_t w = (uint64_t{1} << 44) + (random() >> (1 + random() % 40));
    const long double exact =
        (static_cast<long double>(y) - y_max) / temperature -
        std::log(static_cast<long double>(w) / static_cast<long double>(uint64_t{1} << 44));
    ASSERT_EQ(Logprob(y, y_max, temperature, w), static_cast<float>(exact))
        << y << " " << y_max << " " << temperature << " " << w;
  }
}

TEST(LogprobTest, FourEqualTokens) {
  EXPECT_EQ(Logprob(2.5f, 2.5f, 1.0, uint64_t{1} << 46), static_cast<float>(-std::log(4.0)));
}

TEST(LogprobTest, SureTokenIsZero) { EXPECT_EQ(Logprob(-3, -3, 0.5, uint64_t{1} << 44), 0.0f); }

TEST(LogprobTest, OutsideTheSupportIsMinusInfinity) {
  EXPECT_EQ(Logprob(-INFINITY, 1.0f, 0.7, uint64_t{1} << 45), -INFINITY);
}

// -inf means outside the support and nothing else, so the smallest temperature stays finite.
TEST(LogprobTest, FiniteLogitsGiveFiniteLogprobs) {
  const float lowest = std::numeric_limits<float>::lowest();
  EXPECT_EQ(Logprob(-1.0f, 1.0f, 1e-3, uint64_t{1} << 44), -2000.0f);
  EXPECT_EQ(Logprob(-3e38f, 3e38f, 1.0, uint64_t{1} << 44), lowest);
  EXPECT_EQ(Logprob(-1e30f, 1e30f, 0x1p-100, uint64_t{1} << 44), lowest);
  EXPECT_EQ(Logprob(lowest, 1e30f, 0x1p-100, uint64_t{1} << 44), lowest);
}

}  // namespace
}  // namespace tessera

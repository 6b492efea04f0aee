// The weight polynomial over every float in [0, 1], and a whole row of neighbouring logits.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/math/weight.h"
#include "tests/math/exhaustive.h"

namespace tessera {
namespace {

TEST(WeightPolynomialTest, JoinsItsOctavesExactly) {
  EXPECT_EQ(WeightPolynomial(0.5f), 1.0f);
  EXPECT_EQ(WeightPolynomial(1.0f), 2 * WeightPolynomial(0.0f));
}

// Every float from 0 to 1, in order: P never falls.
TEST(WeightPolynomialTest, EveryFloatIsMonotone) {
  TESSERA_SKIP_UNLESS_EXHAUSTIVE();
  uint64_t dips = 0;
  float previous = WeightPolynomial(0.0f);
  for (uint32_t bits = 1; bits <= BitsOf(1.0f); ++bits) {
    const float p = WeightPolynomial(FloatOf(bits));
    dips += p < previous;
    previous = p;
  }
  EXPECT_EQ(dips, 0u);
}

// Every float down to 2^-27, and below it, where P equals P(0), the first and last of each binade:
// |P(g) / 2^(g - 1/2) - 1| <= 2^-22.5.
TEST(WeightPolynomialTest, EveryFloatIsAccurate) {
  TESSERA_SKIP_UNLESS_EXHAUSTIVE();
  const auto error = [](uint32_t bits) {
    const float g = FloatOf(bits);
    return std::fabs(WeightPolynomial(g) / std::exp2(g - 0.5) - 1);
  };
  const uint32_t start = BitsOf(0x1p-27f);
  ASSERT_EQ(WeightPolynomial(FloatOf(start)), WeightPolynomial(0.0f));
  double worst = 0;
  for (uint32_t bits = 0; bits < start; bits += 0x400000) {
    worst = std::max({worst, error(bits), error(bits + 0x3FFFFF)});
  }
  for (uint32_t bits = start; bits <= BitsOf(1.0f); ++bits) worst = std::max(worst, error(bits));
  RecordProperty("worst_log2", std::to_string(std::log2(worst)));
  EXPECT_LE(worst, std::exp2(-22.5));
}

// Every float d from -1/16 down to -2.9 at c = log2(e), more than 45,000,000 steps over four
// octaves: the weight never rises as d falls, across the joins too.
TEST(WeightTest, EveryDistanceOfFourOctavesIsMonotone) {
  TESSERA_SKIP_UNLESS_EXHAUSTIVE();
  const Weigher weigher = MakeWeigher(0.0f, InverseTemperature(1.0));
  const int32_t bottom = OrderKey(-2.9f);
  uint64_t previous = kMaxWeight, rises = 0, steps = 0;
  for (int32_t key = OrderKey(-0x1p-4f); key >= bottom; --key, ++steps) {
    const uint64_t w = WeightOf(weigher, FromOrderKey(key));
    rises += w > previous;
    previous = w;
  }
  EXPECT_EQ(rises, 0u);
  EXPECT_GT(steps, 45'000'000u);
}

}  // namespace
}  // namespace tessera

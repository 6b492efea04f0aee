// Integer weights: golden bits from an exact oracle, octaves and their ties, bounds, monotonicity,
// and the search for a threshold's key.
#include "kernels/math/weight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/math/golden_weight_table.h"

namespace tessera {
namespace {

// The definition with M = 1.5 * 2^23: ties between octaves fall the other way.
uint64_t WeightWithPlainMagic(const Weigher& weigher, float y) {
  const float d = std::max(y - weigher.y_max, weigher.d_min);
  const float n = Fma(d, weigher.c, 0x1.8p23f) - 0x1.8p23f;
  const double p = WeightPolynomial(Fma(d, weigher.c, -n) + 0.5f);
  return static_cast<uint64_t>(std::nearbyint(std::ldexp(p, 44 + static_cast<int>(n))));
}

// A row's parameters anywhere in their range, and a logit within about 46 octaves.
struct Drawn {
  Weigher weigher;
  double temperature;
  float y;
};

class WeightTest : public testing::Test {
 protected:
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Drawn Draw() {
    while (true) {
      const bool usual = random_() % 2 == 0;
      const double temperature = std::exp2(usual ? Uniform(-4, 4) : Uniform(-100, 100));
      const float c = InverseTemperature(temperature);
      const double reach = Uniform(0, 46) / c;
      const double y_max = random_() % 4 == 0 ? 0 : Uniform(-1, 1) * (usual ? 100 : 2 * reach);
      const Weigher weigher = MakeWeigher(static_cast<float>(y_max), c);
      const float y = static_cast<float>(weigher.y_max - reach);
      if (std::isfinite(y) && std::isfinite(weigher.y_max)) return {weigher, temperature, y};
    }
  }
  std::mt19937_64 random_{29};
};

TEST(GoldenWeightTest, Bits) {
  for (const GoldenWeight& row : kGoldenWeights) {
    EXPECT_EQ(BitsOf(InverseTemperature(row.temperature)), row.c) << row.temperature;
    const Weigher weigher = MakeWeigher(FloatOf(row.y_max), FloatOf(row.c));
    EXPECT_EQ(WeightOf(weigher, FloatOf(row.y)), row.weight)
        << "T " << row.temperature << " y_max " << FloatOf(row.y_max) << " y " << FloatOf(row.y);
  }
}

// With c = 1 each octave is met exactly: at d = -n, and at the tie d = -(n + 1/2) with the floats
// on both sides of it.
TEST_F(WeightTest, EveryOctave) {
  const Weigher weigher = MakeWeigher(0.0f, 1.0f);
  const double low = WeightPolynomial(0.0f);
  for (int n = 0; n <= 149; ++n) {
    const float d = static_cast<float>(-n);
    EXPECT_EQ(WeightOf(weigher, d), n <= 44 ? kMaxWeight >> n : 0u) << n;
    const float tie = d - 0.5f;
    const uint64_t w = WeightOf(weigher, tie);
    EXPECT_EQ(w, static_cast<uint64_t>(std::nearbyint(std::ldexp(low, 44 - n)))) << n;
    EXPECT_EQ(w, WeightWithPlainMagic(weigher, tie)) << n;
    EXPECT_GE(WeightOf(weigher, std::nextafter(tie, 0.0f)), w) << n;
    EXPECT_LE(WeightOf(weigher, std::nextafter(tie, -INFINITY)), w) << n;
  }
}

// 1,000,000 random tokens and 1,000,000 exact ties.
TEST_F(WeightTest, MagicDoesNotMatter) {
  for (int i = 0; i < 1'000'000; ++i) {
    const Drawn drawn = Draw();
    ASSERT_EQ(WeightOf(drawn.weigher, drawn.y), WeightWithPlainMagic(drawn.weigher, drawn.y));
    // c = 2^k and d = -(n + 1/2) / c.
    const int k = static_cast<int>(random_() % 60) - 30;
    const Weigher power = MakeWeigher(0.0f, std::ldexp(1.0f, k));
    const float tie = std::ldexp(-0.5f - static_cast<float>(random_() % 46), -k);
    ASSERT_EQ(WeightOf(power, tie), WeightWithPlainMagic(power, tie));
  }
}

TEST_F(WeightTest, MaximumAndMinusInfinity) {
  for (int i = 0; i < 100'000; ++i) {
    const Weigher weigher = Draw().weigher;
    ASSERT_EQ(WeightOf(weigher, weigher.y_max), kMaxWeight);
    ASSERT_EQ(WeightOf(weigher, -INFINITY), 0u);
    ASSERT_LE(WeightOf(weigher, std::numeric_limits<float>::lowest()), kMaxWeight);
  }
}

TEST_F(WeightTest, EndsOfTheTemperatureRange) {
  for (double temperature : {0x1p-100, 0x1p100}) {
    const float largest = std::numeric_limits<float>::max();
    const Weigher weigher = MakeWeigher(largest, InverseTemperature(temperature));
    EXPECT_TRUE(std::isnormal(weigher.c));
    EXPECT_TRUE(std::isnormal(weigher.d_min));
    EXPECT_EQ(WeightOf(weigher, largest), kMaxWeight);
    EXPECT_EQ(WeightOf(weigher, -largest), 0u);  // d overflows to -inf
  }
  // Beyond the range -150 / c is infinite: the clamp must still be a number.
  EXPECT_EQ(MakeWeigher(0.0f, 0x1p-140f).d_min, -std::numeric_limits<float>::max());
  EXPECT_EQ(WeightOf(MakeWeigher(0.0f, 0x1p-140f), -1e30f), kMaxWeight);
}

// 1,000,000 random tokens: |w - 2^(44 + d*c)| <= 2^-22.3 of it + 1/2, and against the real-valued
// exponential what the rounding of d and c (2^-24 of each, times |d*c| ln 2) adds.
TEST_F(WeightTest, Bounds) {
  for (int i = 0; i < 1'000'000; ++i) {
    const Drawn drawn = Draw();
    const auto& [y_max, c, d_min] = drawn.weigher;
    const double w = static_cast<double>(WeightOf(drawn.weigher, drawn.y));
    const double octaves = static_cast<double>(drawn.y - y_max) * c;
    const double near = std::exp2(44 + octaves);
    ASSERT_LE(std::fabs(w - near), near * std::exp2(-22.3) + 0.5) << octaves;
    if (octaves < -44) continue;
    const double exact =
        std::exp((static_cast<double>(drawn.y) - y_max) / drawn.temperature) * 0x1p44;
    const double relative = std::exp2(-22.3) - octaves * std::log(2.0) * 0x1.0001p-23;
    ASSERT_LE(std::fabs(w - exact), exact * relative + 1) << octaves;
  }
}

// 40,000 random rows, 50 neighbouring logits each and 50 far ones.
TEST_F(WeightTest, MonotoneInTheLogit) {
  for (int row = 0; row < 40'000; ++row) {
    const Drawn drawn = Draw();
    float y = drawn.y;
    uint64_t previous = WeightOf(drawn.weigher, y);
    for (int i = 0; i < 100 && y < drawn.weigher.y_max; ++i) {
      const int32_t step = i < 50 ? 1 : static_cast<int32_t>(random_() % 100'000);
      const int32_t top = OrderKey(drawn.weigher.y_max);
      y = FromOrderKey(static_cast<int32_t>(std::min<int64_t>(top, int64_t{OrderKey(y)} + step)));
      const uint64_t w = WeightOf(drawn.weigher, y);
      ASSERT_GE(w, previous) << y;
      previous = w;
    }
  }
}

// Against a walk down from y_max, one float at a time.
TEST_F(WeightTest, LowestKeyEqualsALinearSearch) {
  int compared = 0;
  for (int i = 0; i < 100; ++i) {
    const Weigher weigher = MakeWeigher(Draw().weigher.y_max, InverseTemperature(Uniform(0.5, 2)));
    const uint64_t threshold = kMaxWeight - random_() % (kMaxWeight >> (4 + random_() % 20));
    int32_t key = OrderKey(weigher.y_max);
    int steps = 0;
    while (steps < 50'000 && WeightOf(weigher, FromOrderKey(key - 1)) >= threshold) {
      --key, ++steps;
    }
    if (steps == 50'000) continue;  // farther than a walk should take
    ++compared;
    ASSERT_EQ(LowestKeyWithWeight(weigher, threshold), key);
  }
  EXPECT_GT(compared, 40);
}

// 200,000 random thresholds: the key reaches it, the float below does not.
TEST_F(WeightTest, LowestKeyIsTheBoundary) {
  for (int i = 0; i < 200'000; ++i) {
    const Weigher weigher = Draw().weigher;
    const uint64_t threshold = 1 + (random_() >> random_() % 60) % kMaxWeight;
    const int32_t key = LowestKeyWithWeight(weigher, threshold);
    ASSERT_LE(key, OrderKey(weigher.y_max));
    ASSERT_GE(WeightOf(weigher, FromOrderKey(key)), threshold);
    if (key == kOrderKeyMinFinite) continue;
    ASSERT_LT(WeightOf(weigher, FromOrderKey(key - 1)), threshold);
  }
}

TEST_F(WeightTest, LowestKeyAtItsEnds) {
  const Weigher weigher = MakeWeigher(1.0f, InverseTemperature(1.0));
  EXPECT_EQ(LowestKeyWithWeight(weigher, 0), kOrderKeyNegInf);
  EXPECT_EQ(WeightOf(weigher, FromOrderKey(LowestKeyWithWeight(weigher, kMaxWeight))), kMaxWeight);
  // The hottest row over all floats: 2^100 does not flatten 3e38, so the key is still inside.
  const Weigher hot = MakeWeigher(0.0f, InverseTemperature(0x1p100));
  EXPECT_GT(LowestKeyWithWeight(hot, 1), kOrderKeyMinFinite);
}

}  // namespace
}  // namespace tessera

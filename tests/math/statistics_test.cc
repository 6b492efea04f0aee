// Integer statistics against float64, and their exact parts against wide integers.
#include "kernels/math/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "tests/math/golden_weight_table.h"

namespace tessera {
namespace {

__extension__ typedef unsigned __int128 Wide;

struct Row {
  const char* kind;
  std::vector<float> logits;
};

// Eight kinds of rows, from one sure token to a flat row of 2^19.
std::vector<Row> Rows() {
  std::mt19937_64 random(31);
  const auto fill = [&](size_t size, auto&& draw) {
    std::vector<float> logits(size);
    for (float& y : logits) y = static_cast<float>(draw());
    return logits;
  };
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Row> rows = {
      {"one token", {2.5f}},
      {"two equal", {1.0f, 1.0f}},
      {"peaked", fill(32000, [&] { return 0.5 * normal(random); })},
      {"normal", fill(128256, [&] { return 2.5 * normal(random); })},
      {"wide", fill(50000, [&] { return 12 * normal(random); })},
      {"flat", fill(524288, [] { return 0.0; })},
      {"nearly flat", fill(524288, [&] { return 1e-3 * uniform(random); })},
      {"masked", fill(32000, [&] { return uniform(random) < 0.5 ? -1e9 : 3 * normal(random); })},
  };
  rows[2].logits[77] = 14.0f;
  return rows;
}

float MaxOf(const std::vector<float>& logits) {
  return *std::max_element(logits.begin(), logits.end());
}

struct Sums {
  uint64_t weight = 0;
  uint64_t entropy = 0;
};

Sums SumsOf(const Row& row, double temperature) {
  const Weigher weigher = MakeWeigher(MaxOf(row.logits), InverseTemperature(temperature));
  Sums sums;
  for (float y : row.logits) {
    const uint64_t w = WeightOf(weigher, y);
    sums.weight += w;
    sums.entropy += EntropyTerm(w, DistanceOf(weigher, y));
  }
  return sums;
}

double Entropy64(const Row& row, double temperature) {
  const double y_max = MaxOf(row.logits);
  double total = 0, moment = 0;
  for (float y : row.logits) {
    const double x = (y - y_max) / temperature;
    total += std::exp(x);
    moment += x * std::exp(x);
  }
  return std::log(total) - moment / total;
}

TEST(DistanceTest, GoldenBits) {
  for (const GoldenWeight& row : kGoldenWeights) {
    const Weigher weigher = MakeWeigher(FloatOf(row.y_max), FloatOf(row.c));
    EXPECT_EQ(DistanceOf(weigher, FloatOf(row.y)), row.distance)
        << "T " << row.temperature << " y_max " << FloatOf(row.y_max) << " y " << FloatOf(row.y);
  }
}

// 2,000,000 random (d, c): rint of the rounded product, which a fused product would often miss.
TEST(DistanceTest, IsTheRoundedProductRounded) {
  std::mt19937_64 random(37);
  std::uniform_real_distribution<double> uniform(0, 50), octave(-20, 20);
  int fused_differs = 0;
  for (int i = 0; i < 2'000'000; ++i) {
    const float c = static_cast<float>(std::exp2(octave(random)));
    const float y = static_cast<float>(-uniform(random) / c);
    const double exact = -static_cast<double>(y) * c;  // 48 bits
    const double want = std::min<double>(
        std::nearbyint(static_cast<double>(static_cast<float>(exact)) * 0x1p20), kMaxDistance);
    ASSERT_EQ(DistanceOf(MakeWeigher(0.0f, c), y), want) << y << " " << c;
    fused_differs += std::nearbyint(exact * 0x1p20) != want && want < kMaxDistance;
  }
  EXPECT_GT(fused_differs, 1000);  // the cases are of the kind that a lost flag would change
}

TEST(DistanceTest, Ends) {
  const Weigher weigher = MakeWeigher(2.0f, 1.0f);
  EXPECT_EQ(DistanceOf(weigher, 2.0f), 0u);
  EXPECT_EQ(DistanceOf(weigher, 1.0f), 1u << 20);
  EXPECT_EQ(DistanceOf(weigher, -6.0f), 8u << 20);
  EXPECT_EQ(DistanceOf(weigher, -41.75f), (43u << 20) + (3u << 18));
  EXPECT_EQ(DistanceOf(weigher, -42.0f), kMaxDistance);
  EXPECT_EQ(DistanceOf(weigher, -1e30f), kMaxDistance);
  EXPECT_EQ(DistanceOf(weigher, -INFINITY), kMaxDistance);
}

// Eight kinds of rows at four temperatures, within 2e-7 nats of float64.
TEST(EntropyTest, AgreesWithFloat64) {
  for (const Row& row : Rows()) {
    for (double temperature : {0.3, 1.0, 2.0, 17.0}) {
      const Sums sums = SumsOf(row, temperature);
      EXPECT_LT(sums.weight, uint64_t{1} << 63 | 1);
      EXPECT_NEAR(EntropyNats(sums.weight, sums.entropy), Entropy64(row, temperature), 2e-7)
          << row.kind << " T " << temperature;
    }
  }
}

TEST(EntropyTest, ExactCases) {
  EXPECT_EQ(EntropyNats(kMaxWeight, 0), 0.0);
  EXPECT_EQ(EntropyNats(4 * kMaxWeight, 0), kLn2 * 2);
  // The product of a token is largest near 1 / ln 2 octaves; it must fit 64 bits there.
  const Weigher weigher = MakeWeigher(0.0f, 1.0f);
  for (float y = -1.6f; y < -1.3f; y += 0x1p-12f) {
    const Wide product = Wide{WeightOf(weigher, y)} * DistanceOf(weigher, y);
    ASSERT_TRUE(product < Wide{0x8B00000000000000u});  // 0.543 * 2^64
    ASSERT_EQ(EntropyTerm(WeightOf(weigher, y), DistanceOf(weigher, y)),
              static_cast<uint64_t>(product >> 20));
  }
}

// 1,000,000 random sums, up to the largest a row can have.
TEST(TypicalCentreTest, IsTheRoundedQuotient) {
  std::mt19937_64 random(41);
  for (int i = 0; i < 1'000'000; ++i) {
    const uint64_t w = 1 + (random() >> (1 + random() % 20));
    const uint64_t e = random() >> (1 + random() % 63);
    const Wide want = ((Wide{e} << 20) + w / 2) / w;
    ASSERT_EQ(TypicalCentre(w, e), static_cast<uint64_t>(want));
  }
}

// The centre plus log2(W) - 44 is the entropy in bits.
TEST(TypicalCentreTest, IsTheEntropySeenFromTheMaximum) {
  for (const Row& row : Rows()) {
    const Sums sums = SumsOf(row, 1.0);
    const double total = static_cast<double>(sums.weight);
    const double centre =
        std::ldexp(static_cast<double>(TypicalCentre(sums.weight, sums.entropy)), -20);
    EXPECT_NEAR((centre + std::log2(total) - 44) * kLn2, Entropy64(row, 1.0), 1e-6) << row.kind;
  }
}

double Sigma(const std::vector<float>& logits) {
  const float y_max = MaxOf(logits);
  const SpreadScale scale = MakeSpreadScale(y_max, *std::min_element(logits.begin(), logits.end()));
  Moments moments;
  for (float y : logits) {
    const uint64_t d = SpreadOf(scale, y_max, y);
    EXPECT_LT(d, uint64_t{1} << 26);
    ++moments.count;
    moments.sum += d;
    moments.sum_of_squares = moments.sum_of_squares + U128{0, d * d};
  }
  return SpreadSigma(moments) / scale.first / scale.second;
}

double Sigma64(const std::vector<float>& logits) {
  const long double n = static_cast<long double>(logits.size());
  const long double mean = std::accumulate(logits.begin(), logits.end(), 0.0L) / n;
  long double squares = 0;
  for (float y : logits) squares += (y - mean) * (y - mean);
  return static_cast<double>(std::sqrt(squares / n));
}

// Relative error at most 3e-8, also with half of the row at -1e9, and for rows of any size.
TEST(SpreadTest, SigmaAgreesWithExtendedPrecision) {
  for (const Row& row : Rows()) {
    const double want = Sigma64(row.logits);
    EXPECT_NEAR(Sigma(row.logits), want, want * 3e-8) << row.kind;
    for (float factor : {0x1p-130f, 0x1p-60f, 0x1p90f}) {
      std::vector<float> scaled = row.logits;
      for (float& y : scaled) y *= factor;
      const double scaled_want = Sigma64(scaled);
      EXPECT_NEAR(Sigma(scaled), scaled_want, scaled_want * 3e-8) << row.kind << " " << factor;
    }
  }
}

// The scale uses the 26 bits: the farthest token lies in the upper half of the range. 1,000,000
// random rows of two tokens, over every binade.
TEST(SpreadTest, ScaleFillsItsBits) {
  std::mt19937_64 random(43);
  for (int i = 0; i < 1'000'000; ++i) {
    const float a = FloatOf(static_cast<uint32_t>(random())),
                b = FloatOf(static_cast<uint32_t>(random()));
    if (!std::isfinite(a) || !std::isfinite(b) || a == b) continue;
    const SpreadScale scale = MakeSpreadScale(std::max(a, b), std::min(a, b));
    const uint32_t d = SpreadOf(scale, std::max(a, b), std::min(a, b));
    ASSERT_GE(d, 1u << 25) << a << " " << b;
    ASSERT_LT(d, 1u << 26) << a << " " << b;
  }
}

TEST(SpreadTest, Ends) {
  const float largest = std::numeric_limits<float>::max();
  const SpreadScale one = MakeSpreadScale(3.0f, 3.0f);
  EXPECT_EQ(SpreadOf(one, 3.0f, 3.0f), 0u);
  const SpreadScale tiny = MakeSpreadScale(FloatOf(1), 0.0f);
  EXPECT_EQ(SpreadOf(tiny, FloatOf(1), 0.0f), 1u << 25);
  // A difference beyond the largest float counts as the largest float.
  const SpreadScale huge = MakeSpreadScale(largest, -largest);
  EXPECT_EQ(SpreadOf(huge, largest, -largest), SpreadOf(huge, largest, 0.0f));
  EXPECT_EQ(SpreadOf(huge, largest, largest), 0u);
}

TEST(SpreadTest, SigmaOfMoments) {
  EXPECT_EQ(SpreadSigma({}), 0.0);
  EXPECT_EQ(SpreadSigma({1, 5, {0, 25}}), 0.0);
  EXPECT_EQ(SpreadSigma({2, 6, {0, 36}}), 3.0);  // 0 and 6
  // The largest row: half at 0, half at 2^26 - 4.
  const uint64_t n = uint64_t{1} << 18, d = (uint64_t{1} << 26) - 4;
  EXPECT_EQ(SpreadSigma({2 * n, n * d, Multiply(d * d, n)}), static_cast<double>(d) / 2);
}

TEST(SpreadTest, LargestKept) {
  EXPECT_EQ(LargestKeptSpread(1.0, 3.0), 3u);
  EXPECT_EQ(LargestKeptSpread(0.5, 3.0), 1u);
  EXPECT_EQ(LargestKeptSpread(0.0, 1e7), 0u);
  EXPECT_EQ(LargestKeptSpread(1e300, 1e7), 1u << 26);
  EXPECT_EQ(LargestKeptSpread(INFINITY, 1.0), 1u << 26);
}

}  // namespace
}  // namespace tessera

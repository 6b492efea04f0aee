// Quadratic smoothing: y_max + f d^2 (s d - k), d = y - y_max.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();
const std::vector<float> kLogits = {3, 2, 2, 1, 0, -1, -4, -kInf};

void ExpectLawOf(const ShownRow& row, const std::vector<double>& logits) {
  double sum = 0;
  for (double y : logits) sum += std::exp(y);
  for (size_t id = 0; id < logits.size(); ++id) {
    EXPECT_NEAR(row.law[id], std::exp(logits[id]) / sum, 2e-6) << id;
  }
}

TEST(Smoothing, AgreesWithTheEngines) {
  ExpectLawOf(Show(kLogits, {Smoothing{0.5, 1}}), {3, 2.5, 2.5, 1, -1.5, -5, -21.5, -kInf});
  ExpectLawOf(Show(kLogits, {Smoothing{0.3, 2}}), {3, 2.7, 2.7, 1.2, -2.4, -9, -55.8, -kInf});
}

TEST(Smoothing, ZeroIsOff) {
  EXPECT_EQ(Show(kLogits, {Smoothing{0, 1}}).law, Show(kLogits, {}).law);
}

TEST(Smoothing, CutsNothingHoweverSmall) {
  EXPECT_EQ(Show({3e38f, 0, -3e38f}, {Smoothing{0x1p20, 1}}).kept.size(), 3u);
  EXPECT_EQ(Show({3e38f, 0, -3e38f}, {Smoothing{0x1p20, 3}}).kept.size(), 3u);
}

// Two logits that differ little become equal: the lower id then is the first.
TEST(Smoothing, MayTieWhatDiffered) {
  const std::vector<float> logits = {1, std::nextafter(1.0f, 2.0f), 0};
  EXPECT_THAT(Show(logits, {Greedy{}}).kept, ElementsAre(1));
  EXPECT_THAT(Show(logits, {Smoothing{0.5, 1}, Greedy{}}).kept, ElementsAre(0));
  EXPECT_THAT(Show(logits, {Smoothing{0.5, 1}, TopK{1}}).kept, ElementsAre(0));
}

TEST(Smoothing, LeavesTemperatureToScaleWhatItMade) {
  ExpectLawOf(Show({2, 0}, {Temperature{2}, Smoothing{0.5, 1}}), {1, 0});  // 2 and 0, halved
  ExpectLawOf(Show({2, 0}, {Smoothing{0.5, 1}, Temperature{4}}), {0.5, 0});
}

// The order by logit stays for every curve in [1, 3].
TEST(Smoothing, KeepsTheOrder) {
  for (double curve : {1.0, 1.5, 2.0, 3.0}) {
    const ShownRow row = Show({4, 3, 2.5f, 1, 0.5f}, {Smoothing{0.2, curve}});
    for (int id = 1; id < 5; ++id) EXPECT_LT(row.law[id], row.law[id - 1]) << curve << " id " << id;
  }
}

}  // namespace
}  // namespace tessera::testing

// Eta cutoff: probability at least min(epsilon, sqrt(epsilon) * e^-H), and the likeliest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

TEST(EtaCutoff, OfAFlatLawIsLowerThanEpsilon) {
  // Eight equal tokens: H = ln 8, so the threshold is sqrt(0.25) / 8 = 1/16, below 1/8.
  EXPECT_EQ(Show(std::vector<float>(8, 1.0f), {EtaCutoff{0.25}}).kept.size(), 8u);
  EXPECT_EQ(Show(std::vector<float>(8, 1.0f), {EpsilonCutoff{0.25}}).kept.size(), 8u);
  // With one ten times less likely, 0.0141, epsilon cuts it and eta, at 0.0682 for 0.25, too; at
  // 0.01 neither does.
  std::vector<double> law(8, 10 / 71.0);
  law[3] = 1 / 71.0;
  EXPECT_THAT(Kept(law, {EtaCutoff{0.25}}), ElementsAre(0, 1, 2, 4, 5, 6, 7));
  EXPECT_EQ(Kept(law, {EtaCutoff{0.01}}).size(), 8u);
}

// Two tokens, 3/4 and 1/4: H = 0.5623, e^-H = 0.5699.
TEST(EtaCutoff, TakesTheSmallerOfTwoThresholds) {
  const std::vector<double> law = {0.75, 0.25};
  EXPECT_EQ(Kept(law, {EtaCutoff{0.24}}).size(), 2u);         // epsilon 0.24
  EXPECT_THAT(Kept(law, {EtaCutoff{0.26}}), ElementsAre(0));  // 0.26 and 0.2906
  EXPECT_THAT(Kept(law, {EtaCutoff{0.9}}), ElementsAre(0));   // 0.5407
}

TEST(EtaCutoff, KeepsTheLikeliest) {
  // Four equal tokens: the threshold at 0.99 is 0.2487, below 1/4.
  EXPECT_EQ(Show({0, 0, 0, 0}, {EtaCutoff{0.99}}).kept.size(), 4u);
  EXPECT_THAT(Kept({0.4, 0.35, 0.25}, {EtaCutoff{0.99}}), ElementsAre(0, 1));
  EXPECT_THAT(Show({0, -50}, {EtaCutoff{0.99}}).kept, ElementsAre(0));
}

TEST(EtaCutoff, AgreesWithTheEngines) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::vector<float> logits = {3, 2, 2, 1, 0, -1, -4, -kInf};
  EXPECT_THAT(Show(logits, {EtaCutoff{0.03}}).kept, ElementsAre(0, 1, 2, 3));  // at 0.03
  EXPECT_THAT(Show(logits, {EtaCutoff{0.1}}).kept, ElementsAre(0, 1, 2));      // at 0.086223
}

}  // namespace
}  // namespace tessera::testing

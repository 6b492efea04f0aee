// XTC: of the tokens as likely as the threshold all but the least likely go, if the coin says so.
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

TEST(Xtc, AgreesWithTheEngines) {
  EXPECT_THAT(Show(kLogits, {Xtc{1, 0.05}}).kept, ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(Show(kLogits, {Xtc{1, 0.1}}).kept, ElementsAre(2, 3, 4, 5, 6));
  EXPECT_EQ(Show(kLogits, {Xtc{1, 0.2}}).kept.size(), 7u);  // one choice alone stays
}

TEST(Xtc, RenormalisesWhatIsLeft) {
  const ShownRow row = Show(LogitsOf({0.4, 0.3, 0.2, 0.1}), {Xtc{1, 0.25}});
  EXPECT_THAT(row.kept, ElementsAre(1, 2, 3));
  EXPECT_NEAR(row.law[1], 0.5, 1e-6);
  EXPECT_NEAR(row.law[2], 1 / 3.0, 1e-6);
  EXPECT_NEAR(row.law[3], 1 / 6.0, 1e-6);
}

// Of equal choices the lower ids are the likelier ones, as everywhere.
TEST(Xtc, SplitsTiesByLowerId) {
  EXPECT_THAT(Show({0, 0, 0, 0}, {Xtc{1, 0.25}}).kept, ElementsAre(3));
}

TEST(Xtc, IsOffAtProbability0AndAboveOneHalf) {
  EXPECT_EQ(Show(kLogits, {Xtc{0, 0.05}}).kept.size(), 7u);
  EXPECT_EQ(Show(kLogits, {Xtc{1, 0.51}}).kept.size(), 7u);
  // At one half exactly two tokens may qualify.
  EXPECT_THAT(Show({0, 0, -kInf}, {Xtc{1, 0.5}}).kept, ElementsAre(1));
}

TEST(Xtc, ReadsTheLawThatIsLeftAndLeavesItsOwn) {
  EXPECT_THAT(Show(kLogits, {TopK{4}, Xtc{1, 0.05}}).kept, ElementsAre(3));
  EXPECT_THAT(Show(kLogits, {Xtc{1, 0.05}, TopK{2}}).kept, ElementsAre(3, 4));
  EXPECT_THAT(Show(kLogits, {Xtc{1, 0.05}, Greedy{}}).kept, ElementsAre(3));
}

// At T = log2(e) integer logits are bits: 1/2, 1/4, 1/8 twice.
TEST(Xtc, CountsAProbabilityThatEqualsTheThreshold) {
  const Stage bits = Temperature{1.4426950408889634};
  const std::vector<float> logits = {0, -1, -2, -2};
  EXPECT_THAT(Show(logits, {bits, Xtc{1, 0.25}}).kept, ElementsAre(1, 2, 3));
  EXPECT_EQ(Show(logits, {bits, Xtc{1, std::nextafter(0.25, 1)}}).kept.size(), 4u);
  EXPECT_THAT(Show(logits, {bits, Xtc{1, 0.125}}).kept, ElementsAre(3));
}

// 200 coins of probability 1/4: 50 expected, deviation 6.1; the bounds are 4.9 deviations away.
TEST(Xtc, HappensAsOftenAsItsProbabilitySays) {
  RowSpec row;
  row.logits = {1, 1, 0};
  row.chain.stages = {Xtc{0.25, 0.3}};
  int happened = 0;
  for (row.seed = 1; row.seed <= 200; ++row.seed) happened += Show(row).kept.size() == 2 ? 1 : 0;
  EXPECT_GE(happened, 20);
  EXPECT_LE(happened, 80);
}

// One coin a row: position and stream move it, the number of samples does not.
TEST(Xtc, TossesOneCoinForAllSamples) {
  RowSpec row;
  row.logits = {1, 1, 0};
  row.chain.stages = {Xtc{0.5, 0.3}};
  bool differs = false;
  for (row.position = 0; row.position < 40; ++row.position) {
    row.samples = 1;
    const size_t kept = Show(row).kept.size();
    row.samples = 5;
    const ShownRow five = Show(row);
    EXPECT_EQ(five.kept.size(), kept);
    for (TokenId token : five.tokens) EXPECT_TRUE(kept == 3 || token != 0) << token;
    row.position ^= 1u << 31;
    differs |= Show(row).kept.size() != kept;
    row.position ^= 1u << 31;
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace tessera::testing

// Top-p: the smallest prefix of the order whose weight reaches ceil(p * W).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

const std::vector<double> kLaw = {0.15, 0.5, 0.05, 0.3};

TEST(TopP, KeepsTheSmallestPrefixThatReachesP) {
  EXPECT_THAT(Kept(kLaw, {TopP{0.4}}), ElementsAre(1));
  EXPECT_THAT(Kept(kLaw, {TopP{0.6}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(kLaw, {TopP{0.9}}), ElementsAre(0, 1, 3));
  EXPECT_THAT(Kept(kLaw, {TopP{0.97}}), ElementsAre(0, 1, 2, 3));
}

// Each probability is exactly 1/8, so three of them reach 0.375 exactly: a fourth is a fault.
TEST(TopP, EightEqualLogitsAtThreeEighthsKeepThree) {
  const std::vector<float> equal(8, 2.5f);
  EXPECT_THAT(Show(equal, {TopP{0.375}}).kept, ElementsAre(0, 1, 2));
  EXPECT_THAT(Show(equal, {TopP{std::nextafter(0.375, 0)}}).kept, ElementsAre(0, 1, 2));
  EXPECT_THAT(Show(equal, {TopP{std::nextafter(0.375, 1)}}).kept, ElementsAre(0, 1, 2, 3));
}

TEST(TopP, FourEqualLogitsAtOneHalfKeepTheFirstTwo) {
  EXPECT_THAT(Show({0, 0, 0, 0}, {TopP{0.5}}).kept, ElementsAre(0, 1));
}

TEST(TopP, ZeroKeepsOneAndOneKeepsAll) {
  EXPECT_THAT(Kept(kLaw, {TopP{0}}), ElementsAre(1));
  EXPECT_THAT(Kept(kLaw, {TopP{0x1p-1074}}), ElementsAre(1));
  EXPECT_EQ(Kept(kLaw, {TopP{1}}).size(), 4u);
}

// 45 octaves (31.2 nats) below the likeliest a token weighs 0: only p = 1 keeps it.
TEST(TopP, BelowOneDropsWhatWeighsNothing) {
  const std::vector<float> logits = {0, -40, 0, -32};
  EXPECT_EQ(Show(logits, {TopP{1}}).kept.size(), 4u);
  EXPECT_THAT(Show(logits, {TopP{std::nextafter(1.0, 0)}}).kept, ElementsAre(0, 2));
}

TEST(TopP, ReadsWeightsAtTheTemperatureBeforeIt) {
  EXPECT_THAT(Kept(kLaw, {TopP{0.6}, Temperature{0.5}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(kLaw, {Temperature{0.5}, TopP{0.6}}), ElementsAre(1));
  EXPECT_THAT(Kept(kLaw, {Temperature{4}, TopP{0.6}}), ElementsAre(0, 1, 3));
}

// Of the law 8/15 4/15 2/15 1/15, top-k 2 leaves 2/3 and 1/3.
TEST(TopP, IsSequentialUnlessJoint) {
  const std::vector<double> law = {8 / 15.0, 4 / 15.0, 2 / 15.0, 1 / 15.0};
  EXPECT_THAT(Kept(law, {TopK{2}, TopP{0.6}}), ElementsAre(0));
  EXPECT_THAT(Kept(law, {TopK{2}, TopP{0.6, true}}), ElementsAre(0, 1));
  // The whole row's mass below p: nothing more to cut.
  EXPECT_THAT(Kept(law, {TopK{2}, TopP{0.9, true}}), ElementsAre(0, 1));
}

TEST(TopP, RenormalisesWhatItKeeps) {
  const ShownRow row = Show(LogitsOf(kLaw), {TopP{0.6}});
  EXPECT_NEAR(row.law[1], 0.625, 1e-6);
  EXPECT_NEAR(row.law[3], 0.375, 1e-6);
  EXPECT_EQ(row.law[0], 0);
}

}  // namespace
}  // namespace tessera::testing

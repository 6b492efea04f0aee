// Min-p: tokens that weigh at least ceil(m * 2^44), m a share of the likeliest's probability.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

const std::vector<double> kLaw = {0.15, 0.5, 0.05, 0.3};

TEST(MinP, KeepsWhatIsLikelyEnough) {
  EXPECT_THAT(Kept(kLaw, {MinP{0.09}}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Kept(kLaw, {MinP{0.2}}), ElementsAre(0, 1, 3));
  EXPECT_THAT(Kept(kLaw, {MinP{0.5}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(kLaw, {MinP{0.7}}), ElementsAre(1));
}

TEST(MinP, OneKeepsEveryTieOfTheLikeliest) {
  EXPECT_THAT(Show({0, 2, 1, 2}, {MinP{1}}).kept, ElementsAre(1, 3));
}

TEST(MinP, ZeroIsOff) { EXPECT_EQ(Show({0, -500, -30, 1}, {MinP{0}}).kept.size(), 4u); }

// However small m is, what weighs nothing is not at least m times as likely.
TEST(MinP, AboveZeroDropsWhatWeighsNothing) {
  EXPECT_THAT(Show({0, -500, -30, 1}, {MinP{1e-300}}).kept, ElementsAre(0, 2, 3));
}

TEST(MinP, DependsOnTheTemperatureBeforeIt) {
  EXPECT_THAT(Kept(kLaw, {Temperature{2}, MinP{0.5}}), ElementsAre(0, 1, 3));
  EXPECT_THAT(Kept(kLaw, {MinP{0.5}, Temperature{2}}), ElementsAre(1, 3));
}

// It compares with the likeliest token, so what other stages cut does not matter.
TEST(MinP, CommutesWithTopK) {
  EXPECT_THAT(Kept(kLaw, {TopK{3}, MinP{0.5}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(kLaw, {MinP{0.5}, TopK{3}}), ElementsAre(1, 3));
}

}  // namespace
}  // namespace tessera::testing

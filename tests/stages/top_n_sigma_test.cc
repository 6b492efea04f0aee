// Top-n-sigma: logits at most n population deviations below the largest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

TEST(TopNSigma, CutsBelowADeviation) {
  // Mean 0, deviation 2.
  const std::vector<float> logits = {2, -2, 2, -2};
  EXPECT_THAT(Show(logits, {TopNSigma{1.9}}).kept, ElementsAre(0, 2));
  EXPECT_EQ(Show(logits, {TopNSigma{2}}).kept.size(), 4u);
  EXPECT_EQ(Show(logits, {TopNSigma{0}}).kept.size(), 4u);
}

TEST(TopNSigma, OfEqualLogitsKeepsAll) {
  EXPECT_EQ(Show({5, 5, 5}, {TopNSigma{1e-9}}).kept.size(), 3u);
}

// Temperature scales logits and their deviation alike.
TEST(TopNSigma, DoesNotDependOnTemperature) {
  const std::vector<float> logits = {3, 2, 2, 1, 0, -1, -4};
  for (double t : {0.1, 1.0, 10.0}) {
    EXPECT_THAT(Show(logits, {Temperature{t}, TopNSigma{1}}).kept, ElementsAre(0, 1, 2, 3)) << t;
  }
}

// What an earlier stage has cut does not count.
TEST(TopNSigma, ReadsTheLogitsThatAreLeft) {
  const std::vector<float> logits = {3, 2, 2, 1, -100};
  EXPECT_EQ(Show(logits, {TopNSigma{1}}).kept.size(), 4u);
  EXPECT_THAT(Show(logits, {TopK{4}, TopNSigma{1.5}}).kept, ElementsAre(0, 1, 2));
}

TEST(TopNSigma, SurvivesTheLargestRange) {
  EXPECT_EQ(Show({3e38f, -3e38f, 3e38f}, {TopNSigma{1}}).kept.size(), 2u);
}

// Population deviation over finite logits: 2.194613.
TEST(TopNSigma, AgreesWithTheEngines) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::vector<float> logits = {3, 2, 2, 1, 0, -1, -4, -kInf};
  EXPECT_THAT(Show(logits, {TopNSigma{0.5}}).kept, ElementsAre(0, 1, 2));
  EXPECT_THAT(Show(logits, {TopNSigma{1}}).kept, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Show(logits, {TopNSigma{1.5}}).kept, ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace tessera::testing

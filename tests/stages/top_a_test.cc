// Top-a: probability at least a * p_max^2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

const std::vector<double> kLaw = {0.15, 0.5, 0.05, 0.3};

TEST(TopA, ComparesWithTheSquareOfTheLikeliest) {
  EXPECT_THAT(Kept(kLaw, {TopA{1}}), ElementsAre(1, 3));           // at 0.25
  EXPECT_THAT(Kept(kLaw, {TopA{0.5}}), ElementsAre(0, 1, 3));      // at 0.125
  EXPECT_THAT(Kept(kLaw, {TopA{0.19}}), ElementsAre(0, 1, 2, 3));  // at 0.0475
  EXPECT_EQ(Kept(kLaw, {TopA{0}}).size(), 4u);
}

// p = 1/4 and a p^2 = 1/16: a flat law keeps everything, a certain one little.
TEST(TopA, KeepsAFlatLawWhole) {
  EXPECT_EQ(Show({0, 0, 0, 0}, {TopA{1}}).kept.size(), 4u);
  EXPECT_THAT(Kept({0.9, 0.05, 0.05}, {TopA{0.1}}), ElementsAre(0));
}

// At T = log2(e) integer logits are bits: one token of 1/2 and four of 1/8, where a p_max^2 is 1/8
// at a = 0.5, exactly.
TEST(TopA, KeepsAProbabilityThatEqualsTheThreshold) {
  const Stage bits = Temperature{1.4426950408889634};
  const std::vector<float> logits = {0, 2, 0, 0, 0};
  EXPECT_EQ(Show(logits, {bits, TopA{0.5}}).kept.size(), 5u);
  EXPECT_THAT(Show(logits, {bits, TopA{std::nextafter(0.5, 1)}}).kept, ElementsAre(1));
}

TEST(TopA, AgreesWithTheEngines) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::vector<float> logits = {3, 2, 2, 1, 0, -1, -4, -kInf};
  EXPECT_THAT(Show(logits, {TopA{0.2}}).kept, ElementsAre(0, 1, 2, 3));  // at 0.053135
  EXPECT_THAT(Show(logits, {TopA{0.5}}).kept, ElementsAre(0, 1, 2));     // at 0.132837
}

}  // namespace
}  // namespace tessera::testing

// Logit bias: added at its place in the chain; -inf is a mask and bans.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();

RowSpec Biased(std::vector<float> logits, std::vector<Stage> stages, std::vector<Bias> bias) {
  RowSpec row;
  row.logits = std::move(logits);
  row.chain.stages = std::move(stages);
  row.bias = std::move(bias);
  return row;
}

TEST(LogitBias, AddsToTheLogit) {
  const ShownRow row = Show(Biased({0, 0, 0, 0}, {LogitBias{}}, {{2, 1.5f}, {0, -1}}));
  const double sum = std::exp(-1) + 2 + std::exp(1.5);
  EXPECT_NEAR(row.law[0], std::exp(-1) / sum, 1e-6);
  EXPECT_NEAR(row.law[1], 1 / sum, 1e-6);
  EXPECT_NEAR(row.law[2], std::exp(1.5) / sum, 1e-6);
}

TEST(LogitBias, OfMinusInfinityBansEvenANan) {
  EXPECT_THAT(Show(Biased({1, std::nanf(""), 0, 2}, {LogitBias{}}, {{1, -kInf}, {3, -kInf}})).kept,
              ElementsAre(0, 2));
}

TEST(LogitBias, DecidesWhatALaterTruncationKeeps) {
  EXPECT_THAT(Show(Biased({3, 2, 1, 0}, {LogitBias{}, TopK{1}}, {{3, 10}})).kept, ElementsAre(3));
}

TEST(LogitBias, ThatOverflowsSpoilsTheRow) {
  EXPECT_EQ(Show(Biased({3e38f, 0, 0, 0}, {LogitBias{}}, {{0, 3e38f}})).outcome,
            Outcome::kInvalidLogits);
}

// (1 + 1) / 2 and 1 / 2 + 1: the place in the chain matters.
TEST(LogitBias, KeepsItsPlaceAmongPenalties) {
  RowSpec row = Biased({1, 1}, {LogitBias{}, RepetitionPenalty{2}}, {{0, 1}});
  row.counts = {{0, 0, 1}};
  EXPECT_NEAR(Show(row).law[0], 0.5, 1e-6);
  row.chain.stages = {RepetitionPenalty{2}, LogitBias{}};
  EXPECT_NEAR(Show(row).law[0], 1 / (1 + std::exp(-0.5)), 1e-6);
}

}  // namespace
}  // namespace tessera::testing

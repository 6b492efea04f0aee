// The draw's order: through ids, or through the tokens from the likeliest down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

// Ids from the likeliest: 1 3 2 0.
const std::vector<double> kLaw = {0.1, 0.4, 0.2, 0.3};

uint64_t WordAt(double fraction) { return static_cast<uint64_t>(fraction * 0x1p64); }

std::vector<TokenId> DrawnAt(const std::vector<double>& fractions, std::vector<Stage> stages) {
  RowSpec row;
  row.logits = LogitsOf(kLaw);
  row.chain.stages = std::move(stages);
  for (double fraction : fractions) row.words.push_back(WordAt(fraction));
  row.samples = static_cast<uint32_t>(fractions.size());
  return Show(row).tokens;
}

TEST(DrawRule, RunsThroughIdsByDefault) {
  EXPECT_THAT(DrawnAt({0, 0.09, 0.11, 0.49, 0.51, 0.69, 0.71, 0.999}, {}),
              ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
}

TEST(DrawRule, SortedRunsFromTheLikeliestDown) {
  EXPECT_THAT(
      DrawnAt({0, 0.39, 0.41, 0.69, 0.71, 0.89, 0.91, 0.999}, {DrawRule{DrawOrder::kSorted}}),
      ElementsAre(1, 1, 3, 3, 2, 2, 0, 0));
}

TEST(DrawRule, SortedAfterATruncation) {
  // 4/7 and 3/7.
  EXPECT_THAT(DrawnAt({0, 0.57, 0.572, 0.999}, {TopK{2}, DrawRule{DrawOrder::kSorted}}),
              ElementsAre(1, 1, 3, 3));
}

TEST(DrawRule, SortedDrawsTiesByLowerId) {
  RowSpec row;
  row.logits = {1, 2, 2, 1};
  row.chain.stages = {DrawRule{DrawOrder::kSorted}};
  row.samples = 4;
  // 0.3655 each for ids 1 and 2, 0.1345 for ids 0 and 3.
  row.words = {WordAt(0.36), WordAt(0.37), WordAt(0.74), WordAt(0.87)};
  EXPECT_THAT(Show(row).tokens, ElementsAre(1, 2, 0, 3));
}

// The law does not depend on the rule, nor on where the words come from.
TEST(DrawRule, LeavesTheLawAlone) {
  const ShownRow sorted =
      Show(LogitsOf(kLaw), {DrawRule{DrawOrder::kSorted, Generator::kXorshift64}, TopP{0.9}});
  const ShownRow plain = Show(LogitsOf(kLaw), {TopP{0.9}});
  EXPECT_EQ(sorted.law, plain.law);
}

}  // namespace
}  // namespace tessera::testing

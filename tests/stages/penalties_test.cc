// Repetition, frequency and presence penalties, and which part of the history each looks at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

// Id 0 is unseen, 1 stands in the prompt, 2 in the output (twice), 3 in both (once and thrice).
const std::vector<IdCount> kHistory = {{1, 1, 0}, {2, 0, 2}, {3, 1, 3}};

// The logits that a chain made, as differences from id 0's: ids 0 to 3.
std::vector<double> Edited(std::vector<float> logits, std::vector<Stage> stages) {
  RowSpec row;
  row.logits = std::move(logits);
  row.chain.stages = std::move(stages);
  row.counts = kHistory;
  std::vector<double> edited;
  const ShownRow shown = Show(row);
  for (double p : shown.tempered) edited.push_back(std::log(p) - std::log(shown.tempered[0]));
  return edited;
}

void ExpectEdited(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 4e-6) << "id " << i;
}

constexpr PenaltyScope kAll = PenaltyScope::kPromptAndOutput;
constexpr PenaltyScope kOutput = PenaltyScope::kOutput;
constexpr PenaltyScope kPrompt = PenaltyScope::kPrompt;

TEST(RepetitionPenalty, DividesPositiveAndMultipliesNegativeLogitsOnce) {
  ExpectEdited(Edited({0, 2, -1, 3}, {RepetitionPenalty{2}}), {0, 1, -2, 1.5});
  ExpectEdited(Edited({0, 2, -1, 3}, {RepetitionPenalty{0.5}}), {0, 4, -0.5, 6});
}

TEST(RepetitionPenalty, LooksAtItsScope) {
  ExpectEdited(Edited({0, 2, -1, 3}, {RepetitionPenalty{2, kAll}}), {0, 1, -2, 1.5});
  ExpectEdited(Edited({0, 2, -1, 3}, {RepetitionPenalty{2, kOutput}}), {0, 2, -2, 1.5});
  ExpectEdited(Edited({0, 2, -1, 3}, {RepetitionPenalty{2, kPrompt}}), {0, 1, -1, 1.5});
}

TEST(RepetitionPenalty, LeavesZeroAlone) {
  ExpectEdited(Edited({0, 0, -0.0f, 0}, {RepetitionPenalty{7}}), {0, 0, 0, 0});
}

TEST(FrequencyPenalty, CountsOccurrencesInItsScope) {
  ExpectEdited(Edited({0, 1, 1, 1}, {FrequencyPenalty{0.5}}), {0, 1, 0, -0.5});
  ExpectEdited(Edited({0, 1, 1, 1}, {FrequencyPenalty{0.5, kAll}}), {0, 0.5, 0, -1});
  ExpectEdited(Edited({0, 1, 1, 1}, {FrequencyPenalty{0.5, kPrompt}}), {0, 0.5, 1, 0.5});
  ExpectEdited(Edited({0, 1, 1, 1}, {FrequencyPenalty{-0.5}}), {0, 1, 2, 2.5});
}

TEST(PresencePenalty, SubtractsOnce) {
  ExpectEdited(Edited({0, 1, 1, 1}, {PresencePenalty{0.5}}), {0, 1, 0.5, 0.5});
  ExpectEdited(Edited({0, 1, 1, 1}, {PresencePenalty{0.5, kAll}}), {0, 0.5, 0.5, 0.5});
  ExpectEdited(Edited({0, 1, 1, 1}, {PresencePenalty{0.5, kPrompt}}), {0, 0.5, 1, 0.5});
}

TEST(Penalties, ApplyInTheChainsOrder) {
  ExpectEdited(Edited({0, 2, 2, 2}, {PresencePenalty{1}, RepetitionPenalty{2}}), {0, 1, 0.5, 0.5});
  ExpectEdited(Edited({0, 2, 2, 2}, {RepetitionPenalty{2}, PresencePenalty{1}}), {0, 1, 0, 0});
}

// 2e38 * 2 overflows binary32: the logits of ids 2 and 3 become -inf, and these no candidates.
TEST(Penalties, OverflowDownwardsRemovesACandidateAndUpwardsSpoilsTheRow) {
  RowSpec row;
  row.logits = {0, 1, 1, 1};
  row.counts = kHistory;
  row.chain.stages = {FrequencyPenalty{2e38}};
  EXPECT_THAT(Show(row).kept, ::testing::ElementsAre(0, 1));
  row.chain.stages = {FrequencyPenalty{-2e38}};
  EXPECT_EQ(Show(row).outcome, Outcome::kInvalidLogits);
  row.banned = {2, 3};
  EXPECT_EQ(Show(row).outcome, Outcome::kOk);
}

}  // namespace
}  // namespace tessera::testing

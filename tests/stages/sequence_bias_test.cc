// Bias on sequences of ids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/history_edits.h"
#include "tests/stages/edited_logits.h"

namespace tessera::testing {
namespace {

using ::testing::HasSubstr;

TEST(SequenceBias, AddsToTheLastIdBehindTheOthers) {
  const SequenceBias bias{{{{1, 2, 3}, 1.5}, {{2, 4}, -2}, {{3, 5}, 9}}};
  ExpectLogits(WithPast({1}, {2}, {bias}), {0, 0, 0, 1.5, -2, 0, 0, 0});
  ExpectLogits(WithPast({}, {2}, {bias}), {0, 0, 0, 0, -2, 0, 0, 0});
  ExpectLogits(WithPast({}, {}, {bias}), {0, 0, 0, 0, 0, 0, 0, 0});
}

TEST(SequenceBias, AsLongAsTheWholeHistoryAndTheNextTokenCounts) {
  ExpectLogits(WithPast({1, 2}, {3}, {SequenceBias{{{{1, 2, 3, 4}, 5}, {{3, 1, 2, 3, 4}, 7}}}}),
               {0, 0, 0, 0, 5, 0, 0, 0});
}

TEST(SequenceBias, OfOneIdAlwaysCounts) {
  ExpectLogits(WithPast({}, {}, {SequenceBias{{{{6}, 3}}}}), {0, 0, 0, 0, 0, 0, 3, 0});
}

TEST(SequenceBias, AddsUpWhatEndsInTheSameId) {
  const SequenceBias bias{{{{3}, 1}, {{2, 3}, 2}, {{1, 3}, 4}, {{3}, 0.25}}};
  ExpectLogits(WithPast({2}, {}, {bias}), {0, 0, 0, 3.25, 0, 0, 0, 0});
}

TEST(SequenceBias, OfMinusInfinityBansWhateverElseIsAdded) {
  ExpectLogits(WithPast({2}, {}, {SequenceBias{{{{3}, kOut}, {{2, 3}, 5}}}}),
               {0, 0, 0, kOut, 0, 0, 0, 0});
  const SequenceBias overflow{{{{3}, 3e38}, {{3}, 3e38}, {{2, 3}, kOut}}};
  ExpectLogits(WithPast({2}, {}, {overflow}), {0, 0, 0, kOut, 0, 0, 0, 0});
  EXPECT_EQ(Show(WithPast({1}, {}, {overflow})).outcome, Outcome::kInvalidLogits);
}

// (0 - 1) * 2 and 0 * 2 - 1.
TEST(SequenceBias, KeepsItsPlaceAmongEdits) {
  const SequenceBias bias{{{{3}, -1}}};
  RowSpec row = WithPast({3}, {}, {bias, RepetitionPenalty{2}});
  row.counts = {{3, 1, 0}};
  ExpectLogits(row, {0, 0, 0, -2, 0, 0, 0, 0});
  row.chain.stages = {RepetitionPenalty{2}, bias};
  ExpectLogits(row, {0, 0, 0, -1, 0, 0, 0, 0});
  row.chain.stages = {bias, RepetitionPenalty{2}, SequenceBias{{{{5}, 1}, {{3}, 0.5}}},
                      LogitBias{}};
  row.bias = {{5, 0.5f}};
  ExpectLogits(row, {0, 0, 0, -1.5, 0, 1.5, 0, 0});
}

TEST(SequenceBias, RefusesWhatIsNoSequenceOrNoBias) {
  EXPECT_THAT(ChainError({SequenceBias{{{{1}, 1}, {{}, 1}}}}),
              HasSubstr("sequence_bias.sequences[1] (its length) is 0; it must be at least 1"));
  EXPECT_THAT(ChainError({SequenceBias{{{{1}, 1e39}}}}),
              HasSubstr("sequence_bias.sequences[0] (its bias) is 1e+39; it must be finite"));
  EXPECT_THAT(ChainError({SequenceBias{{{{1}, -1e39}}}}), HasSubstr("(its bias) is -1e+39"));
  EXPECT_THAT(ChainError({SequenceBias{{{{1}, -kOut}}}}), HasSubstr("(its bias) is inf"));
  EXPECT_EQ(ChainError({SequenceBias{{{{1}, kOut}}}}), "");
}

TEST(SequenceBias, EndsInsideTheVocabulary) {
  const Chain chain{{SequenceBias{{{{99, 7}, 1}, {{7, 8}, 1}}}}};
  EXPECT_TRUE(CheckLastIds(chain, 9).ok());
  EXPECT_EQ(
      CheckLastIds(chain, 8).message(),
      "stages[0].sequence_bias.sequences[1] ends in id 8; it must be below the vocabulary's 8");
}

}  // namespace
}  // namespace tessera::testing

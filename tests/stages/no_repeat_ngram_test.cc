// No n-gram twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/stages/edited_logits.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr HistoryScope kOutput = HistoryScope::kOutput;

Ids KeptOf(Ids prompt, Ids output, std::vector<Stage> stages) {
  return Show(WithPast(std::move(prompt), std::move(output), std::move(stages))).kept;
}

// 1 2 3 1 2: the trigram 1 2 3 would come again, and so would the bigram 2 3.
TEST(NoRepeatNgram, BansWhatWouldCompleteOne) {
  EXPECT_THAT(KeptOf({1, 2, 3, 1, 2}, {}, {NoRepeatNgram{3}}), ElementsAre(0, 1, 2, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({1, 2, 3, 1, 2}, {}, {NoRepeatNgram{2}}), ElementsAre(0, 1, 2, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({1, 2, 3, 1, 2}, {}, {NoRepeatNgram{4}}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({1, 3, 1, 4, 2, 1}, {}, {NoRepeatNgram{2}}), ElementsAre(0, 1, 2, 5, 6, 7));
}

TEST(NoRepeatNgram, OfOneBansEveryIdSeen) {
  EXPECT_THAT(KeptOf({1, 2}, {3, 1}, {NoRepeatNgram{1}}), ElementsAre(0, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({}, {}, {NoRepeatNgram{1}}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

// 1 1 1: the bigram 1 1 stands there twice already, overlapping.
TEST(NoRepeatNgram, CountsOverlappingOnes) {
  EXPECT_THAT(KeptOf({1, 1, 1}, {}, {NoRepeatNgram{3}}), ElementsAre(0, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({1, 1, 1}, {}, {NoRepeatNgram{4}}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

// The prompt ends in 1 and the output begins with 2: one history, unless only the output counts.
TEST(NoRepeatNgram, LooksAtItsScope) {
  EXPECT_THAT(KeptOf({1}, {2, 3, 1}, {NoRepeatNgram{2}}), ElementsAre(0, 1, 3, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({1}, {2, 3, 1}, {NoRepeatNgram{2, kOutput}}),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({5}, {1, 2, 1}, {NoRepeatNgram{2, kOutput}}),
              ElementsAre(0, 1, 3, 4, 5, 6, 7));
}

TEST(NoRepeatNgram, IsOffAtZeroAndFarBeyondTheHistory) {
  EXPECT_THAT(KeptOf({1, 1}, {}, {NoRepeatNgram{0}}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({1, 1}, {}, {NoRepeatNgram{UINT32_MAX}}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

// All seen but one, and that one banned: no candidate is left.
TEST(NoRepeatNgram, MayLeaveNothing) {
  RowSpec row = WithPast({0, 1, 2, 3, 4, 5, 6}, {}, {NoRepeatNgram{1}});
  EXPECT_THAT(Show(row).kept, ElementsAre(7));
  row.banned = {7};
  EXPECT_EQ(Show(row).outcome, Outcome::kEmptySupport);
}

// A ban does not turn a temperature before it into an edit, and needs none.
TEST(NoRepeatNgram, StandsAnywhereBeforeTruncations) {
  EXPECT_THAT(KeptOf({1, 2, 1}, {}, {Temperature{0.5}, NoRepeatNgram{2}, TopK{3}}),
              ElementsAre(0, 1, 3));
  EXPECT_THAT(
      ChainError({TopK{3}, NoRepeatNgram{2}}),
      HasSubstr("stages[1].no_repeat_ngram follows stages[0].top_k; edits must come before"));
  EXPECT_THAT(ChainError({Greedy{}, NoRepeatNgram{2}}), HasSubstr("follows a greedy choice"));
}

}  // namespace
}  // namespace tessera::testing

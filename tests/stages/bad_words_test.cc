// Words that must not be completed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/history_edits.h"
#include "tests/stages/edited_logits.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr HistoryScope kAll = HistoryScope::kPromptAndOutput;

Ids KeptOf(Ids prompt, Ids output, BadWords words) {
  return Show(WithPast(std::move(prompt), std::move(output), {std::move(words)})).kept;
}

TEST(BadWords, BansTheLastIdBehindTheOthers) {
  EXPECT_THAT(KeptOf({}, {5, 1, 2}, {{{1, 2, 3}}}), ElementsAre(0, 1, 2, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({}, {5, 1, 2, 5}, {{{1, 2, 3}}}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({}, {2}, {{{1, 2, 3}}}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(BadWords, OfOneIdAreAlwaysBanned) {
  EXPECT_THAT(KeptOf({}, {}, {{{4}, {6}, {4}}}), ElementsAre(0, 1, 2, 3, 5, 7));
  RowSpec row = WithPast({}, {}, {BadWords{{{4}}}});
  row.logits[4] = std::nanf("");  // what is banned is not looked at
  EXPECT_EQ(Show(row).outcome, Outcome::kOk);
}

// The prompt ends in 1, the output is 2.
TEST(BadWords, LooksAtItsScope) {
  EXPECT_THAT(KeptOf({1}, {2}, {{{1, 2, 3}}}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({1}, {2}, {{{1, 2, 3}}, kAll}), ElementsAre(0, 1, 2, 4, 5, 6, 7));
  EXPECT_THAT(KeptOf({1}, {2}, {{{2, 3}}}), ElementsAre(0, 1, 2, 4, 5, 6, 7));
}

TEST(BadWords, MayTakeTheWholeHistory) {
  EXPECT_THAT(KeptOf({}, {1, 2}, {{{1, 2, 3}}}), ElementsAre(0, 1, 2, 4, 5, 6, 7));
}

TEST(BadWords, RefusesWhatIsNoWord) {
  EXPECT_THAT(ChainError({BadWords{{{1}, {}}}}),
              HasSubstr("stages[0].bad_words.words[1] (its length) is 0; it must be at least 1"));
  EXPECT_THAT(ChainError({BadWords{{{1, -7}}}}),
              HasSubstr("stages[0].bad_words.words[0] (an id) is -7; it must be at least 0"));
  EXPECT_THAT(ChainError({BadWords{{TokenSequence(65536, 1), {1}}}}),
              HasSubstr("bad_words.words[1] (ids) is 65537; it must be at most 65536"));
  EXPECT_EQ(ChainError({BadWords{{TokenSequence(65536, 1)}}}), "");
}

// Earlier ids may lie outside the vocabulary: then the word cannot come up.
TEST(BadWords, EndInsideTheVocabulary) {
  const Chain chain{{TopK{1}, BadWords{{{99, 7}, {7, 8}}}}};
  EXPECT_TRUE(CheckLastIds(chain, 9).ok());
  EXPECT_EQ(CheckLastIds(chain, 8).message(),
            "stages[1].bad_words.words[1] ends in id 8; it must be below the vocabulary's 8");
}

}  // namespace
}  // namespace tessera::testing

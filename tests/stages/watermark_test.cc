// A watermark's green list. The lists here were computed by tests/e2e/philox.py, which is written
// from the contract in Python.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/history_edits.h"
#include "tests/stages/edited_logits.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Ids of 32 that come out at 2, behind this past.
Ids GreenOf(Ids prompt, Ids output, Watermark stage) {
  stage.delta = 2;
  RowSpec row = WithPast(std::move(prompt), std::move(output), {stage});
  row.logits.assign(32, 0.0f);
  const std::vector<double> logits = EditedLogits(row);
  Ids green;
  for (TokenId id = 0; id < 32; ++id) {
    if (logits[id] > 1) green.push_back(id);
  }
  return green;
}

TEST(Watermark, AddsDeltaToTheGreenList) {
  RowSpec row = WithPast({3}, {}, {Watermark{.delta = 1.25}});
  ExpectLogits(row, {0, 0, 1.25, 0, 1.25, 0, 0, 0});
  row.chain.stages = {Watermark{.delta = -3}};
  ExpectLogits(row, {0, 0, -3, 0, -3, 0, 0, 0});
}

TEST(Watermark, FollowsFromTheKeyAndTheLastIds) {
  EXPECT_THAT(GreenOf({3}, {}, {}), ElementsAre(2, 4, 8, 9, 10, 12, 18, 19, 20, 22, 23, 25));
  EXPECT_THAT(GreenOf({5}, {3}, {}), ElementsAre(2, 4, 8, 9, 10, 12, 18, 19, 20, 22, 23, 25));
  EXPECT_THAT(GreenOf({3}, {}, {.key = 1}), ElementsAre(7, 16, 19, 20, 21, 29, 30));
  EXPECT_THAT(GreenOf({2}, {3}, {.context_width = 2}), ElementsAre(1, 3, 8, 9, 13, 23, 29, 30, 31));
  EXPECT_THAT(GreenOf({}, {3, 2}, {.context_width = 2}), ElementsAre(4, 6, 7, 8, 12, 24, 29));
  EXPECT_THAT(GreenOf({}, {}, {.context_width = 0}), ElementsAre(5, 6, 10, 13, 14, 29));
}

// What is green at a quarter is green at a half.
TEST(Watermark, TakesAboutAShareOfGamma) {
  EXPECT_THAT(
      GreenOf({3}, {}, {.gamma = 0.5}),
      ElementsAre(1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 18, 19, 20, 22, 23, 24, 25, 29, 30, 31));
  constexpr int64_t kColumns = 100003;
  const Ids past = {7};
  for (double gamma : {0.01, 0.25, 0.9}) {
    const Chain chain{{Watermark{.gamma = gamma}}};
    const HistoryEdits edits = HistoryStages(chain, kColumns).EditsOf({past, {}});
    double count = 0;
    for (uint32_t word : edits.green) count += __builtin_popcount(word);
    const double deviation = std::sqrt(kColumns * gamma * (1 - gamma));
    EXPECT_NEAR(count, kColumns * gamma, 4 * deviation);  // one chance in 16,000; the key is fixed
  }
}

TEST(Watermark, HasNoGreenListBehindAShortHistory) {
  EXPECT_THAT(GreenOf({}, {}, {}), IsEmpty());
  EXPECT_THAT(GreenOf({3}, {}, {.context_width = 2}), IsEmpty());
}

TEST(Watermark, LeavesBannedIdsAlone) {
  RowSpec row = WithPast({3}, {}, {Watermark{.delta = 1}});
  row.banned = {4};
  ExpectLogits(row, {0, 0, 1, 0, kOut, 0, 0, 0});
}

// (0 + 1) / 2 and 0 / 2 + 1.
TEST(Watermark, KeepsItsPlaceAmongEdits) {
  RowSpec row = WithPast({3}, {}, {Watermark{.delta = 1}, RepetitionPenalty{2}});
  row.counts = {{2, 1, 0}};
  ExpectLogits(row, {0, 0, 0.5, 0, 1, 0, 0, 0});
  row.chain.stages = {RepetitionPenalty{2}, Watermark{.delta = 1}};
  ExpectLogits(row, {0, 0, 1, 0, 1, 0, 0, 0});
}

TEST(Watermark, RefusesWhatMakesNoList) {
  EXPECT_THAT(ChainError({Watermark{.gamma = 0}}), HasSubstr("watermark.gamma is 0"));
  EXPECT_THAT(ChainError({Watermark{.gamma = 1}}), HasSubstr("watermark.gamma is 1"));
  EXPECT_THAT(ChainError({Watermark{.gamma = std::nan("")}}), HasSubstr("watermark.gamma is nan"));
  EXPECT_THAT(ChainError({Watermark{.delta = 1e39}}), HasSubstr("watermark.delta is 1e+39"));
  EXPECT_THAT(ChainError({Watermark{.context_width = 65}}),
              HasSubstr("watermark.context_width is 65; it must be at most 64"));
  EXPECT_THAT(ChainError({Watermark{}, Watermark{}}),
              HasSubstr("stages[1].watermark is repeated; a chain may hold it once"));
}

}  // namespace
}  // namespace tessera::testing

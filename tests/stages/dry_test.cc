// DRY: what would go on with a repetition loses multiplier * base^(length - allowed_length).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/stages/edited_logits.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Dry Doubling(std::vector<TokenSequence> breakers = {}) {
  return {.multiplier = 1, .base = 2, .allowed_length = 2, .breakers = std::move(breakers)};
}

// 1 2 3 1 2: the last two ids stood there before, and 3 came next.
TEST(Dry, PenalisesWhatWouldGoOnWithARepetition) {
  ExpectLogits(WithPast({1, 2, 3, 1, 2}, {}, {Doubling()}), {0, 0, 0, -1, 0, 0, 0, 0});
  ExpectLogits(WithPast({1, 2, 3}, {1, 2}, {Doubling()}), {0, 0, 0, -1, 0, 0, 0, 0});
  ExpectLogits(WithPast({}, {1, 2, 3, 4, 2}, {Doubling()}), {0, 0, 0, 0, 0, 0, 0, 0});
  ExpectLogits(WithPast({}, {}, {Doubling()}), {0, 0, 0, 0, 0, 0, 0, 0});
}

// 1 2 3 1 2 3 1 2: five ids repeat, and 2^(5 - 2) = 8.
TEST(Dry, GrowsWithTheLengthOfTheLongestRepetition) {
  ExpectLogits(WithPast({1, 2, 3, 1, 2, 3, 1, 2}, {}, {Doubling()}), {0, 0, 0, -8, 0, 0, 0, 0});
  ExpectLogits(WithPast({5, 1, 2, 3, 6, 1, 2, 4, 5, 1, 2}, {}, {Doubling()}),
               {0, 0, 0, -2, -1, 0, 0, 0});
}

// 1 1 1 1: three of them stand before the last, and the next 1 would be the fourth.
TEST(Dry, SeesRepetitionsThatOverlap) {
  ExpectLogits(WithPast({1, 1, 1, 1}, {}, {Doubling()}), {0, -2, 0, 0, 0, 0, 0, 0});
}

TEST(Dry, AllowsRepetitionsUpToALength) {
  Dry dry = Doubling();
  dry.allowed_length = 3;
  ExpectLogits(WithPast({1, 2, 3, 1, 2}, {}, {dry}), {0, 0, 0, 0, 0, 0, 0, 0});
  dry.allowed_length = 1;
  ExpectLogits(WithPast({1, 2, 3, 1, 2}, {}, {dry}), {0, 0, 0, -2, 0, 0, 0, 0});
  dry.allowed_length = 0;  // then whatever came after anything: 2^0, and 2^2 for 3
  ExpectLogits(WithPast({1, 2, 3, 1, 2}, {}, {dry}), {0, -1, -1, -4, 0, 0, 0, 0});
}

// 7 1 2 3 7 1 2: with 7 as a breaker only 1 2 repeats.
TEST(Dry, DoesNotReachBackAcrossABreaker) {
  const Ids past = {7, 1, 2, 3, 7, 1, 2};
  ExpectLogits(WithPast(past, {}, {Doubling()}), {0, 0, 0, -2, 0, 0, 0, 0});
  ExpectLogits(WithPast(past, {}, {Doubling({{7}})}), {0, 0, 0, -1, 0, 0, 0, 0});
  ExpectLogits(WithPast(past, {}, {Doubling({{7, 1}})}), {0, 0, 0, 0, 0, 0, 0, 0});
  ExpectLogits(WithPast(past, {}, {Doubling({{1, 3}, {2, 5}})}), {0, 0, 0, -2, 0, 0, 0, 0});
}

// Two start at the same place: the longer one counts. Of two places, the later one.
TEST(Dry, TakesTheBreakerThatStartsLast) {
  const Ids past = {7, 1, 2, 3, 7, 1, 2};
  ExpectLogits(WithPast(past, {}, {Doubling({{7}, {7, 1}})}), {0, 0, 0, 0, 0, 0, 0, 0});
  ExpectLogits(WithPast(past, {}, {Doubling({{3, 7, 1, 2}, {7}})}), {0, 0, 0, -1, 0, 0, 0, 0});
}

TEST(Dry, NeverPenalisesABreakerOfOneId) {
  ExpectLogits(WithPast({1, 2, 7, 1, 2}, {}, {Doubling({{6}})}), {0, 0, 0, 0, 0, 0, 0, -1});
  ExpectLogits(WithPast({1, 2, 7, 1, 2}, {}, {Doubling({{7}})}), {0, 0, 0, 0, 0, 0, 0, 0});
  ExpectLogits(WithPast({1, 2, 7, 1, 2}, {}, {Doubling({{7, 6}})}), {0, 0, 0, 0, 0, 0, 0, -1});
}

TEST(Dry, LooksAtTheLastIdsOnly) {
  Dry dry = Doubling();
  dry.last_n = 5;
  ExpectLogits(WithPast({3, 1, 2, 3, 1, 2}, {}, {dry}), {0, 0, 0, -1, 0, 0, 0, 0});
  dry.last_n = 4;
  ExpectLogits(WithPast({3, 1, 2, 3, 1, 2}, {}, {dry}), {0, 0, 0, 0, 0, 0, 0, 0});
  dry.last_n = 0;
  ExpectLogits(WithPast({3, 1, 2, 3, 1, 2}, {}, {dry}), {0, 0, 0, 0, 0, 0, 0, 0});
}

// 199 ones repeat; the exponent stops at 128, as 2^128 is where binary32 ends.
TEST(Dry, EndsItsExponent) {
  Dry dry = Doubling();
  dry.multiplier = 0x1p-127;
  ExpectLogits(WithPast(Ids(200, 1), {}, {dry}), {0, -2, 0, 0, 0, 0, 0, 0});
  dry.base = 1;
  dry.multiplier = 0.5;
  ExpectLogits(WithPast(Ids(200, 1), {}, {dry}), {0, -0.5, 0, 0, 0, 0, 0, 0});
}

TEST(Dry, BansWhereThePenaltyOverflows) {
  EXPECT_THAT(Show(WithPast(Ids(200, 1), {}, {Doubling()})).kept, ElementsAre(0, 2, 3, 4, 5, 6, 7));
}

// (0 - 1) * 3 and 0 * 3 - 1; and T = 0.5 before it doubles what was there, not the penalty.
TEST(Dry, KeepsItsPlaceAmongEdits) {
  RowSpec row = WithPast({1, 2, 3, 1, 2}, {}, {Doubling(), RepetitionPenalty{3}});
  row.counts = {{3, 1, 0}};
  ExpectLogits(row, {0, 0, 0, -3, 0, 0, 0, 0});
  row.chain.stages = {RepetitionPenalty{3}, Doubling()};
  ExpectLogits(row, {0, 0, 0, -1, 0, 0, 0, 0});
  row.logits[3] = 2;
  row.chain.stages = {Temperature{0.5}, Doubling()};
  ExpectLogits(row, {0, 0, 0, 3, 0, 0, 0, 0});
  row.chain.stages = {Doubling(), Temperature{0.5}};
  ExpectLogits(row, {0, 0, 0, 2, 0, 0, 0, 0});
}

TEST(Dry, MayStandMoreThanOnce) {
  Dry weak = Doubling();
  weak.multiplier = 0.25;
  ExpectLogits(WithPast({1, 2, 3, 1, 2}, {}, {Doubling(), weak}), {0, 0, 0, -1.25, 0, 0, 0, 0});
  EXPECT_THAT(ChainError({weak, weak, weak, weak, weak}),
              HasSubstr("stages[4].dry is one too many; a chain may hold 4 stages of dry"));
}

TEST(Dry, RefusesWhatItCannotCompute) {
  EXPECT_THAT(ChainError({Dry{.multiplier = kNan}}), HasSubstr("dry.multiplier is nan"));
  EXPECT_THAT(ChainError({Dry{.multiplier = -1}}), HasSubstr("dry.multiplier is -1"));
  EXPECT_THAT(ChainError({Dry{.multiplier = 1e39}}), HasSubstr("dry.multiplier is 1e+39"));
  EXPECT_THAT(ChainError({Dry{.multiplier = 1, .base = 0.5}}), HasSubstr("dry.base is 0.5"));
  EXPECT_THAT(ChainError({Dry{.multiplier = 1, .base = kNan}}), HasSubstr("dry.base is nan"));
  EXPECT_THAT(ChainError({Dry{.multiplier = 1, .last_n = -2}}), HasSubstr("dry.last_n is -2"));
  EXPECT_THAT(ChainError({Doubling({{1}, {}})}),
              HasSubstr("dry.breakers[1] (its length) is 0; it must be at least 1"));
  EXPECT_THAT(ChainError({Doubling({{1}, {2, -1}})}),
              HasSubstr("dry.breakers[1] (an id) is -1; it must be at least 0"));
  EXPECT_THAT(ChainError({Doubling({TokenSequence(65, 1)})}),
              HasSubstr("dry.breakers[0] (its length) is 65; it must be at most 64"));
  EXPECT_EQ(ChainError({Doubling({TokenSequence(64, 1)})}), "");
  EXPECT_THAT(ChainError({TopK{1}, Doubling()}), HasSubstr("edits must come before truncations"));
}

}  // namespace
}  // namespace tessera::testing

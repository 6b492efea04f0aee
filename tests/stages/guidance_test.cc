// Classifier-free guidance: fma(scale, y - u, u), u from the row's guidance row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/stages/edited_logits.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float kInf = std::numeric_limits<float>::infinity();

RowSpec Guided(std::vector<float> logits, std::vector<float> guidance, std::vector<Stage> stages) {
  RowSpec row;
  row.logits = std::move(logits);
  row.guidance = std::move(guidance);
  row.chain.stages = std::move(stages);
  return row;
}

TEST(Guidance, GoesFromTheGuidanceRowThroughTheRow) {
  const std::vector<float> y = {0, 1, 3, -2};
  const std::vector<float> u = {0, 2, 1, -2};
  ExpectLogits(Guided(y, u, {Guidance{2}}), {0, 0, 5, -2});
  ExpectLogits(Guided(y, u, {Guidance{0.5}}), {0, 1.5, 2, -2});
  ExpectLogits(Guided(y, u, {Guidance{0}}), {0, 2, 1, -2});
  ExpectLogits(Guided(y, u, {Guidance{-1}}), {0, 3, -1, -2});
}

TEST(Guidance, OfOneReadsNoGuidanceRow) {
  ExpectLogits(Guided({0, 1, 3}, {0, std::nanf(""), 9}, {Guidance{1}}), {0, 1, 3});
  ExpectLogits(Guided({0, 1, 3}, {}, {Guidance{1}}), {0, 1, 3});
}

TEST(Guidance, BansWhereTheGuidanceRowHasNoCandidate) {
  ExpectLogits(Guided({0, 1, 3}, {0, -kInf, 1}, {Guidance{2}}), {0, kOut, 5});
  ExpectLogits(Guided({0, 1, 3}, {0, -kInf, 1}, {Guidance{0.5}}), {0, kOut, 2});
  ExpectLogits(Guided({0, -kInf, 3}, {0, 1, 1}, {Guidance{2}}), {0, kOut, 5});
  ExpectLogits(Guided({0, -kInf, 3}, {0, -kInf, 1}, {Guidance{2}}), {0, kOut, 5});
}

TEST(Guidance, SpoilsTheRowWhereEitherIsSpoilt) {
  for (float bad : {std::nanf(""), kInf}) {
    for (double scale : {2.0, -2.0, 0.0}) {
      const Stage guidance = Guidance{scale};
      EXPECT_EQ(Show(Guided({0, 1, 3}, {0, bad, 1}, {guidance})).outcome, Outcome::kInvalidLogits);
      EXPECT_EQ(Show(Guided({0, bad, 3}, {0, 1, 1}, {guidance})).outcome, Outcome::kInvalidLogits);
    }
    RowSpec row = Guided({0, 1, 3}, {0, bad, 1}, {Guidance{2}});
    row.banned = {1};  // what is banned is not looked at
    ExpectLogits(row, {0, kOut, 5});
  }
}

TEST(Guidance, MayOverflow) {
  EXPECT_EQ(Show(Guided({0, 3e38f}, {0, -3e38f}, {Guidance{2}})).outcome, Outcome::kInvalidLogits);
  EXPECT_THAT(Show(Guided({0, -3e38f}, {0, 3e38f}, {Guidance{2}})).kept, ElementsAre(0));
}

// (1 + 2^-12)^2 + u with u = 2^-24 - 1 is 2^-11 + 2^-23. A product that is rounded first loses its
// last 2^-24, and 2^-11 + 2^-24 comes out.
TEST(Guidance, RoundsOnce) {
  const float scale = 1 + 0x1p-12f;
  const float u = 0x1p-24f - 1;
  const float y = 0x1p-12f + 0x1p-24f;
  ASSERT_EQ(y - u, scale);
  const float once = 0x1p-11f + 0x1p-23f;  // id 1 has it from the start; the lower id wins a tie
  EXPECT_THAT(Show(Guided({y, once}, {u, once}, {Guidance{scale}, TopK{1}})).kept, ElementsAre(0));
  const float more = std::nextafter(once, 1.0f);
  EXPECT_THAT(Show(Guided({y, more}, {u, more}, {Guidance{scale}, TopK{1}})).kept, ElementsAre(1));
}

// y - u first, then a penalty; or the other way around: 2 * (4 / 2 - 1) + 1 and (2 * (4 - 1) + 1)
// / 2.
TEST(Guidance, KeepsItsPlaceAmongEdits) {
  RowSpec row = Guided({0, 4}, {0, 1}, {RepetitionPenalty{2}, Guidance{2}});
  row.counts = {{1, 1, 0}};
  ExpectLogits(row, {0, 3});
  row.chain.stages = {Guidance{2}, RepetitionPenalty{2}};
  ExpectLogits(row, {0, 3.5});
  row.chain.stages = {Temperature{2}, Guidance{2}};  // 2 * (2 - 1) + 1
  ExpectLogits(row, {0, 3});
}

TEST(Guidance, RefusesScalesThatAreNone) {
  EXPECT_THAT(ChainError({Guidance{std::nan("")}}), HasSubstr("guidance.scale is nan"));
  EXPECT_THAT(ChainError({Guidance{1e39}}), HasSubstr("guidance.scale is 1e+39"));
  EXPECT_THAT(ChainError({Guidance{2}, Guidance{2}}),
              HasSubstr("stages[1].guidance is repeated; a chain may hold it once"));
  EXPECT_THAT(ChainError({TopK{1}, Guidance{2}}), HasSubstr("edits must come before truncations"));
}

}  // namespace
}  // namespace tessera::testing

// Top-p: the smallest prefix of the order whose weight reaches ceil(p * W).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

const std::vector<double> kLaw = {0.15, 0.5, 0.05, 0.3};

TEST(TopP, KeepsTheSmallestPrefixThatReachesP) {
  EXPECT_THAT(Kept(kLaw, {TopP{0.4}}), ElementsAre(1));
  EXPECT_THAT(Kept(kLaw, {TopP{0.6}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(kLaw, {TopP{0.9}}), ElementsAre(0, 1, 3));
  EXPECT_THAT(Kept(kLaw, {TopP{0.97}}), ElementsAre(0, 1, 2, 3));
}

// Each probability is exactly 1/8, so three of them reach 0.375 exactly: a fourth is a fault.
TEST(TopP, EightEqualLogitsAtThreeEighthsKeepThree) {
  const std::vector<float> equal(8, 2.5f);
  EXPECT_THAT(Show(equal, {TopP{0.375}}).kept, ElementsAre(0, 1, 2));
  EXPECT_THAT(Show(equal, {TopP{std::nextafter(0.375, 0)}}).kept, ElementsAre(0, 1, 2));
  EXPECT_THAT(Show(equal, {TopP{std::nextafter(0.375, 1)}}).kept, ElementsAre(0, 1, 2, 3));
}

TEST(TopP, FourEqualLogitsAtOneHalfKeepTheFirstTwo) {
  EXPECT_THAT(Show({0, 0, 0, 0}, {TopP{0.5}}).kept, ElementsAre(0, 1));
}

TEST(TopP, ZeroKeepsOneAndOneKeepsAll) {
  EXPECT_THAT(Kept(kLaw, {TopP{0}}), ElementsAre(1));
  EXPECT_THAT(Kept(kLaw, {TopP{0x1p-1074}}), ElementsAre(1));
  EXPECT_EQ(Kept(kLaw, {TopP{1}}).size(), 4u);
}

// 45 octaves (31.2 nats) below the likeliest a token weighs 0: only p = 1 keeps it.
TEST(TopP, BelowOneDropsWhatWeighsNothing) {
  const std::vector<float> logits = {0, -40, 0, -32};
  EXPECT_EQ(Show(logits, {TopP{1}}).kept.size(), 4u);
  EXPECT_THAT(Show(logits, {TopP{std::nextafter(1.0, 0)}}).kept, ElementsAre(0, 2));
}

TEST(TopP, ReadsWeightsAtTheTemperatureBeforeIt) {
  EXPECT_THAT(Kept(kLaw, {TopP{0.6}, Temperature{0.5}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(kLaw, {Temperature{0.5}, TopP{0.6}}), ElementsAre(1));
  EXPECT_THAT(Kept(kLaw, {Temperature{4}, TopP{0.6}}), ElementsAre(0, 1, 3));
}

// Of the law 8/15 4/15 2/15 1/15, top-k 2 leaves 2/3 and 1/3.
TEST(TopP, IsSequentialUnlessJoint) {
  const std::vector<double> law = {8 / 15.0, 4 / 15.0, 2 / 15.0, 1 / 15.0};
  EXPECT_THAT(Kept(law, {TopK{2}, TopP{0.6}}), ElementsAre(0));
  EXPECT_THAT(Kept(law, {TopK{2}, TopP{0.6, true}}), ElementsAre(0, 1));
  // The whole row's mass below p: nothing more to cut.
  EXPECT_THAT(Kept(law, {TopK{2}, TopP{0.9, true}}), ElementsAre(0, 1));
}

TEST(TopP, RenormalisesWhatItKeeps) {
  const ShownRow row = Show(LogitsOf(kLaw), {TopP{0.6}});
  EXPECT_NEAR(row.law[1], 0.625, 1e-6);
  EXPECT_NEAR(row.law[3], 0.375, 1e-6);
  EXPECT_EQ(row.law[0], 0);
}

// Each probability is exactly 1/4.
TEST(TopP, BoundariesDifferWhereAPrefixWeighsP) {
  const std::vector<float> equal(4, 1.0f);
  const auto kept = [&](double p, Boundary boundary) {
    return Show(equal, {TopP{.p = p, .boundary = boundary}}).kept.size();
  };
  EXPECT_EQ(kept(0.5, Boundary::kReach), 2u);
  EXPECT_EQ(kept(0.5, Boundary::kExceed), 3u);
  EXPECT_EQ(kept(0.5, Boundary::kWithin), 2u);
  EXPECT_EQ(kept(0.49, Boundary::kReach), 2u);
  EXPECT_EQ(kept(0.49, Boundary::kExceed), 2u);
  EXPECT_EQ(kept(0.49, Boundary::kWithin), 1u);
  for (double p : {0.0, 0.2}) EXPECT_EQ(kept(p, Boundary::kWithin), 1u) << p;
  EXPECT_EQ(kept(0, Boundary::kExceed), 1u);
}

TEST(TopP, KeepsWholeTiesIfWanted) {
  const auto kept = [&](std::vector<float> logits, double p, Boundary boundary) {
    return Show(std::move(logits), {TopP{.p = p, .boundary = boundary, .ties = Ties::kWhole}}).kept;
  };
  EXPECT_EQ(kept({1, 1, 1, 1}, 0.5, Boundary::kReach).size(), 4u);
  EXPECT_EQ(kept({1, 1, 1, 1}, 0.5, Boundary::kWithin).size(), 4u);  // never nothing
  const std::vector<float> tie = LogitsOf({0.4, 0.2, 0.2, 0.2});
  EXPECT_EQ(kept(tie, 0.7, Boundary::kReach).size(), 4u);
  EXPECT_THAT(kept(tie, 0.3, Boundary::kReach), ElementsAre(0));
  // With whole ties the prefixes weigh 0.4 and 1.
  EXPECT_THAT(kept(tie, 0.9, Boundary::kWithin), ElementsAre(0));
}

// Of what is kept, 0.5 and 0.3, the last token has only the 0.2 that it takes to reach 0.7.
TEST(TopP, PartialKeepsOnlyTheMassThatIsNeeded) {
  RowSpec row;
  row.logits = LogitsOf({0.5, 0.3, 0.2});
  row.chain.stages = {TopP{.p = 0.7, .partial = true}};
  row.entropy_modes = Bit(LogprobMode::kProcessed);
  row.samples = 4;
  row.words = {0, uint64_t{0xB6} << 56, uint64_t{0xB7} << 56, ~uint64_t{0}};  // 5/7 is 0xB6.DB
  const ShownRow shown = Show(row);
  EXPECT_THAT(shown.kept, ElementsAre(0, 1));
  EXPECT_NEAR(shown.law[0], 5 / 7.0, 1e-6);
  EXPECT_NEAR(shown.law[1], 2 / 7.0, 1e-6);
  EXPECT_THAT(shown.tokens, ElementsAre(0, 0, 1, 1));
}

TEST(TopP, PartialOfOneTokenIsThatToken) {
  const ShownRow shown = Show(LogitsOf({0.5, 0.3, 0.2}), {TopP{.p = 0.1, .partial = true}});
  EXPECT_THAT(shown.kept, ElementsAre(0));
  EXPECT_EQ(shown.law[0], 1);
}

// The draw of a partial weight runs from the likeliest down.
TEST(TopP, PartialDrawsInTheOrder) {
  RowSpec row;
  row.logits = LogitsOf({0.2, 0.5, 0.3});
  row.chain.stages = {TopP{.p = 0.7, .partial = true}};
  row.samples = 2;
  row.words = {0, ~uint64_t{0}};
  EXPECT_THAT(Show(row).tokens, ElementsAre(1, 2));
}

// 4.0 3.0 2.2 1.6 1.0 -2.0: a nucleus of 0.5 is one token, one of 0.9 three.
TEST(TopP, WorkedExamples) {
  const std::vector<float> logits = {4.0f, 3.0f, 2.2f, 1.6f, 1.0f, -2.0f};
  EXPECT_NEAR(Show(logits, {}).law[0], 0.5966, 1e-4);
  EXPECT_THAT(Show(logits, {TopP{0.5}}).kept, ElementsAre(0));
  const ShownRow wide = Show(logits, {TopP{0.9}});
  EXPECT_THAT(wide.kept, ElementsAre(0, 1, 2));
  EXPECT_NEAR(wide.law[0], 0.6522, 1e-4);
  EXPECT_NEAR(wide.law[1], 0.2399, 1e-4);
  EXPECT_NEAR(wide.law[2], 0.1078, 1e-4);
  const std::vector<float> close = {3.0f, 2.5f, 2.0f, 1.0f, 0.5f, 0.0f};
  EXPECT_EQ(Show(close, {Temperature{0.7}, TopP{0.9}}).kept.size(), 3u);
  EXPECT_EQ(Show(close, {Temperature{1.0}, TopP{0.9}}).kept.size(), 4u);
  EXPECT_EQ(Show(close, {Temperature{1.5}, TopP{0.9}}).kept.size(), 5u);
}

// A hundred tokens: one far above the rest is a nucleus by itself, of a gentle slope it takes 85.
TEST(TopP, TakesAsManyAsTheLawNeeds) {
  std::vector<float> peak(100, 0.0f);
  peak[0] = 8, peak[1] = 3, peak[2] = 2, peak[3] = 1;
  EXPECT_EQ(Show(peak, {TopP{0.9}}).kept.size(), 1u);
  std::vector<float> slope;
  for (int id = 0; id < 100; ++id) slope.push_back(1 - static_cast<float>(id) / 99);
  EXPECT_EQ(Show(slope, {TopP{0.9}}).kept.size(), 85u);
}

}  // namespace
}  // namespace tessera::testing

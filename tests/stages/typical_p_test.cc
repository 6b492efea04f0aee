// Typical-p: the tokens whose surprisal is nearest to the entropy, until they weigh p.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();
const std::vector<float> kLogits = {3, 2, 2, 1, 0, -1, -4, -kInf};

// Deviations: id 0 0.6368; 1 and 2 0.3632; 3 1.3632; 4 2.3632; 5 3.3632; 6 6.3632.
TEST(TypicalP, MayRemoveTheLikeliest) {
  const ShownRow row = Show(kLogits, {TypicalP{0.2}});
  EXPECT_THAT(row.kept, ElementsAre(1, 2));
  EXPECT_NEAR(row.law[1], 0.5, 1e-6);
  EXPECT_NEAR(row.law[2], 0.5, 1e-6);
}

TEST(TypicalP, AgreesWithTheEngines) {
  for (Boundary boundary : {Boundary::kReach, Boundary::kExceed}) {
    EXPECT_THAT(Show(kLogits, {TypicalP{0.2, boundary}}).kept, ElementsAre(1, 2));
    EXPECT_THAT(Show(kLogits, {TypicalP{0.6, boundary}}).kept, ElementsAre(0, 1, 2));
    EXPECT_THAT(Show(kLogits, {TypicalP{0.9, boundary}}).kept, ElementsAre(0, 1, 2, 3));
  }
}

TEST(TypicalP, ZeroKeepsTheSmallestDeviationAndOneKeepsAll) {
  EXPECT_THAT(Show(kLogits, {TypicalP{0}}).kept, ElementsAre(1, 2));
  EXPECT_EQ(Show(kLogits, {TypicalP{1}}).kept.size(), 7u);
}

// All deviate alike: they stay together.
TEST(TypicalP, KeepsEqualDeviationsWhole) {
  EXPECT_EQ(Show({1, 1, 1, 1}, {TypicalP{0.1}}).kept.size(), 4u);
}

// At T = log2(e) integer logits are bits: 1/2, 1/4, 1/8 twice. H = 1.75 bits, so the deviations are
// 0.75, 0.25 and 1.25, and the nearest token weighs exactly 1/4.
TEST(TypicalP, AtTheBoundaryReachingIsEnoughExceedingIsNot) {
  const Stage bits = Temperature{1.4426950408889634};
  const std::vector<float> logits = {0, -1, -2, -2};
  EXPECT_THAT(Show(logits, {bits, TypicalP{0.25}}).kept, ElementsAre(1));
  EXPECT_THAT(Show(logits, {bits, TypicalP{0.25, Boundary::kExceed}}).kept, ElementsAre(0, 1));
  EXPECT_THAT(Show(logits, {bits, TypicalP{0.75}}).kept, ElementsAre(0, 1));
  EXPECT_EQ(Show(logits, {bits, TypicalP{0.75, Boundary::kExceed}}).kept.size(), 4u);
}

// 1/2 and 1/4 twice: all are half a bit away from the entropy, on both of its sides.
TEST(TypicalP, KeepsEqualDeviationsOnBothSidesWhole) {
  const Stage bits = Temperature{1.4426950408889634};
  EXPECT_EQ(Show({0, -1, -1}, {bits, TypicalP{0.3}}).kept.size(), 3u);
}

TEST(TypicalP, IsReadAtTheTemperatureBeforeIt) {
  // At T = 0.25 id 0 has 0.9646: H = 0.17 nats, and id 0 deviates by 0.13, the rest by 3 and more.
  EXPECT_THAT(Show(kLogits, {Temperature{0.25}, TypicalP{0.2}}).kept, ElementsAre(0));
}

TEST(TypicalP, LetsTheChainGoOnFromWhatItLeft) {
  EXPECT_THAT(Show(kLogits, {TypicalP{0.2}, TopK{1}}).kept, ElementsAre(1));
  EXPECT_THAT(Show(kLogits, {TypicalP{0.2}, Greedy{}}).kept, ElementsAre(1));
  EXPECT_THAT(Show(kLogits, {TypicalP{0.2}, MinP{0.9}}).kept, ElementsAre(1, 2));
}

}  // namespace
}  // namespace tessera::testing

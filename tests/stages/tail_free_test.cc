// Tail-free sampling: until the second differences of the sorted law have reached z.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

// Sorted 0.5 0.3 0.15 0.05: differences -0.2 -0.15 -0.1, second differences 0.05 and 0.05.
const std::vector<double> kLaw = {0.15, 0.5, 0.05, 0.3};

TEST(TailFree, KeepsOneTokenMoreThanSecondDifferencesWithinZ) {
  EXPECT_THAT(Kept(kLaw, {TopK{10}, TailFree{0.4}}), ElementsAre(1));
  EXPECT_THAT(Kept(kLaw, {TopK{10}, TailFree{0.6}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(kLaw, {TopK{10}, TailFree{0.99}}), ElementsAre(1, 3));
  EXPECT_EQ(Kept(kLaw, {TopK{10}, TailFree{1}}).size(), 4u);  // off
}

TEST(TailFree, ZeroKeepsTheLikeliest) {
  EXPECT_THAT(Kept(kLaw, {TopK{10}, TailFree{0}}), ElementsAre(1));
}

TEST(TailFree, LeavesFewerThanThreeTokensAlone) {
  EXPECT_THAT(Kept(kLaw, {TopK{2}, TailFree{0.1}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(kLaw, {TopK{1}, TailFree{0.1}}), ElementsAre(1));
}

// No second difference is above 0, so all are within any z.
TEST(TailFree, OfEqualTokensDropsTheLast) {
  EXPECT_THAT(Show({1, 1, 1, 1}, {TopK{4}, TailFree{0.5}}).kept, ElementsAre(0, 1, 2));
}

TEST(TailFree, AgreesWithTheEngines) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::vector<float> logits = {3, 2, 2, 1, 0, -1, -4, -kInf};
  EXPECT_THAT(Show(logits, {TopK{1024}, TailFree{0.5}}).kept, ElementsAre(0));
  EXPECT_THAT(Show(logits, {TopK{1024}, TailFree{0.9}}).kept, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace tessera::testing

// Top-k: exactly k tokens, ties by lower id or, if wanted, whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

TEST(TopK, KeepsTheKLikeliest) {
  const std::vector<double> law = {0.1, 0.4, 0.2, 0.3};
  EXPECT_THAT(Kept(law, {TopK{1}}), ElementsAre(1));
  EXPECT_THAT(Kept(law, {TopK{2}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(law, {TopK{3}}), ElementsAre(1, 2, 3));
}

TEST(TopK, SplitsTiesByLowerId) {
  EXPECT_THAT(Show({1, 3, 2, 2, 2}, {TopK{3}}).kept, ElementsAre(1, 2, 3));
  EXPECT_THAT(Show({0, 0, 0, 0}, {TopK{2}}).kept, ElementsAre(0, 1));
}

TEST(TopK, ZeroIsOffAndLargeKKeepsAll) {
  const std::vector<double> law = {0.1, 0.4, 0.2, 0.3};
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  for (int32_t k : {0, 4, 5, kMax}) EXPECT_EQ(Kept(law, {TopK{k}}).size(), 4u) << k;
}

TEST(TopK, CountsCandidatesOnly) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_THAT(Show({-kInf, 1, -kInf, 0}, {TopK{3}}).kept, ElementsAre(1, 3));
}

TEST(TopK, TreatsBothZerosAsOneValue) {
  EXPECT_THAT(Show({-1, -0.0f, 0.0f, -0.0f}, {TopK{2}}).kept, ElementsAre(1, 2));
}

TEST(TopK, TheSmallerOfTwoDecides) {
  const std::vector<double> law = {0.1, 0.4, 0.2, 0.3};
  EXPECT_THAT(Kept(law, {TopK{2}, TopK{3}}), ElementsAre(1, 3));
  EXPECT_THAT(Kept(law, {TopK{3}, TopK{2}}), ElementsAre(1, 3));
}

TEST(TopK, KeepsWholeTiesIfWanted) {
  EXPECT_THAT(Show({1, 3, 2, 2, 2}, {TopK{3, Ties::kWhole}}).kept, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Show({1, 3, 2, 2, 2}, {TopK{1, Ties::kWhole}}).kept, ElementsAre(1));
  EXPECT_THAT(Show({1, 3, 2, 2, 2}, {TopK{4, Ties::kWhole}}).kept, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(Show({0, 0, 0, 0}, {TopK{1, Ties::kWhole}}).kept.size(), 4u);
  EXPECT_THAT(Show({-1, -0.0f, 0.0f, -0.0f}, {TopK{2, Ties::kWhole}}).kept, ElementsAre(1, 2, 3));
}

// What an earlier stage has cut of a tie does not come back.
TEST(TopK, WholeTiesAreOfWhatIsLeft) {
  EXPECT_THAT(Show({1, 3, 2, 2, 2}, {TopK{3}, TopK{2, Ties::kWhole}}).kept, ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace tessera::testing

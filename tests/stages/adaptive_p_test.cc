// Adaptive-p: draws tokens whose probability is near a target that moves.
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

// Draws the first id that weighs anything.
ShownRow FirstStep(double target) {
  RowSpec row;
  row.logits = kLogits;
  row.chain.stages = {AdaptiveP{target, 0.9}};
  row.words = {0};
  return Show(row);
}

void ExpectLaw(const ShownRow& row, const std::vector<double>& law) {
  for (size_t id = 0; id < law.size(); ++id) EXPECT_NEAR(row.law[id], law[id], 3e-6) << id;
}

TEST(AdaptiveP, AgreesWithTheEngines) {
  const ShownRow low = FirstStep(0.1);
  ExpectLaw(low, {9.3e-05, 0.145226, 0.145226, 0.263245, 0.176501, 0.143376, 0.126333, 0});
  EXPECT_THAT(low.tokens, ElementsAre(0));
  EXPECT_NEAR(low.state[0], 1.415435, 2e-6);
  EXPECT_NEAR(low.state[1], 10, 1e-9);
  const ShownRow high = FirstStep(0.3);
  ExpectLaw(high, {0.058019, 0.433809, 0.433809, 0.041667, 0.014795, 0.009945, 0.007957, 0});
  EXPECT_NEAR(high.state[0], 3.215435, 2e-6);
  EXPECT_NEAR(high.state[1], 10, 1e-9);
}

// The mean so far was 0.5: the aim is 2 * 0.3 - 0.5 = 0.1, as above.
TEST(AdaptiveP, AimsAwayFromTheMeanSoFar) {
  RowSpec row;
  row.logits = kLogits;
  row.chain.stages = {AdaptiveP{0.3, 0.9}};
  row.words = {0};
  row.has_state = true;
  row.state[0] = 2;
  row.state[1] = 4;
  const ShownRow shown = Show(row);
  ExpectLaw(shown, {9.3e-05, 0.145226, 0.145226, 0.263245, 0.176501, 0.143376, 0.126333, 0});
  EXPECT_NEAR(shown.state[0], 0.515435 + 0.9 * 2, 2e-6);
  EXPECT_NEAR(shown.state[1], 1 + 0.9 * 4, 1e-9);
}

TEST(AdaptiveP, ClampsItsAim) {
  RowSpec row;
  row.logits = {0, 0, 0, 0};
  row.chain.stages = {AdaptiveP{0, 0.5}};
  row.has_state = true;
  row.state[0] = 1;
  row.state[1] = 1;
  ExpectLaw(Show(row), {0.25, 0.25, 0.25, 0.25});
}

// The state takes the probability before the rewrite, of what is left, at the temperature before;
// the draw is at temperature 1.
TEST(AdaptiveP, ReadsTheLawThatIsLeft) {
  RowSpec row;
  row.logits = {1, 1, -3, 1};
  row.chain.stages = {Temperature{0.5}, TopK{2}, AdaptiveP{0.5, 0.5}};
  row.words = {0};
  const ShownRow shown = Show(row);
  EXPECT_THAT(shown.kept, ElementsAre(0, 1));
  ExpectLaw(shown, {0.5, 0.5, 0, 0});
  EXPECT_NEAR(shown.state[0], 0.5 + 0.5 * 1, 1e-9);
  EXPECT_NEAR(shown.state[1], 1 + 0.5 * 2, 1e-9);
}

// XTC removes id 0 of 1/2 1/4 1/8 1/8: the state takes 1/2 of the rest for id 1.
TEST(AdaptiveP, MayFollowXtc) {
  RowSpec row;
  row.logits = LogitsOf({0.5, 0.25, 0.125, 0.125});
  row.chain.stages = {Xtc{1, 0.2}, AdaptiveP{0.5, 0.5}};
  row.words = {0};
  const ShownRow shown = Show(row);
  EXPECT_THAT(shown.kept, ElementsAre(1, 2, 3));
  EXPECT_THAT(shown.tokens, ElementsAre(1));
  EXPECT_NEAR(shown.state[0], 0.5 + 0.5 * 1, 1e-6);
}

}  // namespace
}  // namespace tessera::testing

// Mirostat: keeps tokens by a state, and moves the state by what was drawn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();

// A row whose draw is the first id of the support that weighs anything.
RowSpec RowOf(std::vector<float> logits, Stage stage, double mu) {
  RowSpec row;
  row.logits = std::move(logits);
  row.chain.stages = {stage};
  row.has_state = true;
  row.state[0] = mu;
  row.words = {0};
  return row;
}

const std::vector<float> kLogits = {3, 2, 2, 1, 0, -1, -4, -kInf};

TEST(MirostatV2, AgreesWithTheEngines) {
  const ShownRow narrow = Show(RowOf(kLogits, MirostatV2{5, 0.1}, 2));
  EXPECT_THAT(narrow.kept, ElementsAre(0));
  EXPECT_NEAR(narrow.state[0], 2.5, 1e-6);
  const ShownRow wide = Show(RowOf(kLogits, MirostatV2{5, 0.1}, 4));
  EXPECT_THAT(wide.kept, ElementsAre(0, 1, 2, 3));
  EXPECT_NEAR(wide.law[0], 0.534447, 1e-6);
  EXPECT_NEAR(wide.state[0], 4.409612, 1e-5);
}

// Surprisals are exactly 1, 2, 3 and 3 bits.
TEST(MirostatV2, KeepsSurprisalsUpToMu) {
  const std::vector<double> law = {0.5, 0.25, 0.125, 0.125};
  const auto kept = [&](double mu) {
    return Show(RowOf(LogitsOf(law), MirostatV2{5, 0.1}, mu)).kept;
  };
  EXPECT_THAT(kept(0.5), ElementsAre(0));
  EXPECT_THAT(kept(-3), ElementsAre(0));
  EXPECT_THAT(kept(1.5), ElementsAre(0));
  EXPECT_THAT(kept(2.5), ElementsAre(0, 1));
  EXPECT_EQ(kept(3.5).size(), 4u);
  EXPECT_EQ(kept(100).size(), 4u);
}

TEST(MirostatV2, StartsAtTwiceTau) {
  EXPECT_THAT(Kept({0.5, 0.25, 0.125, 0.125}, {MirostatV2{1.2, 0.1}}), ElementsAre(0, 1));
  EXPECT_EQ(Kept({0.5, 0.25, 0.125, 0.125}, {MirostatV2{2, 0.1}}).size(), 4u);
}

TEST(MirostatV2, WithoutADrawHasNoStateAfterIt) {
  RowSpec row = RowOf(kLogits, MirostatV2{5, 0.1}, 4);
  row.samples = 0;
  row.words.clear();
  EXPECT_EQ(Show(row).state[0], 0);
}

// The temperature before it, and what it drew from: p of the kept law.
TEST(MirostatV2, MeasuresSurpriseInTheLawDrawnFrom) {
  RowSpec row = RowOf({1, 1, 1, 1}, MirostatV2{3, 0.5}, 5);
  EXPECT_NEAR(Show(row).state[0], 5 - 0.5 * (2 - 3), 1e-9);
  row.chain.stages = {Temperature{0.5}, TopK{2}, MirostatV2{3, 0.5}};
  EXPECT_NEAR(Show(row).state[0], 5 - 0.5 * (1 - 3), 1e-9);
}

// Of six tokens in a row of eight: s = 1.710102, e = 0.710102, k = 4.819829.
TEST(MirostatV1, AgreesWithTheEngines) {
  const std::vector<float> six = {3, 2, 2, 1, 0, -1, -kInf, -kInf};
  const ShownRow row = Show(RowOf(six, MirostatV1{5, 0.1}, 4));
  EXPECT_THAT(row.kept, ElementsAre(0, 1, 2, 3));
  EXPECT_NEAR(row.state[0], 4 - 0.1 * (-std::log2(row.law[0]) - 5), 1e-5);
}

TEST(MirostatV1, KeepsMoreForALargerMuAndAtLeastOne) {
  const std::vector<float> logits = {3, 2, 2, 1, 0, -1, -4, -kInf};
  size_t last = 1;
  for (double mu : {-8.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 8.0}) {
    const size_t size = Show(RowOf(logits, MirostatV1{5, 0.1}, mu)).kept.size();
    EXPECT_TRUE(mu != -8 || size == 1) << size;
    EXPECT_GE(size, last) << mu;
    last = size;
  }
  EXPECT_EQ(last, 7u);
}

// No exponent tells equal tokens apart.
TEST(MirostatV1, KeepsAllOfEqualTokens) {
  EXPECT_EQ(Show(RowOf({1, 1, 1}, MirostatV1{5, 0.1}, 1)).kept.size(), 3u);
  EXPECT_EQ(Show(RowOf({1, -kInf}, MirostatV1{5, 0.1}, 1)).kept.size(), 1u);
}

}  // namespace
}  // namespace tessera::testing

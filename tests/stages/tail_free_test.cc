// Tail-free sampling: until the second differences of the sorted law have reached z.
#include "kernels/stages/tail_free.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
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

// As many tokens as the stage may be given, tied ones among them: every executor keeps as many as
// the oracle, which sorts them all.
TEST(TailFree, WalksFarDownALongList) {
  constexpr int kColumns = 3000;
  std::mt19937_64 random(5);
  RowSpec row;
  for (int id = 0; id < kColumns; ++id) {
    row.logits.push_back(static_cast<float>(random() % 4096) / 512);
  }
  row.logprob_modes = kAllModes;
  row.top_logprobs = 20;
  uint32_t last = 0;
  for (const double z : {0.25, 0.5, 0.999}) {
    row.chain.stages = {TopK{kMaxTailFree}, TailFree{z}};
    const std::vector<RowSpec> rows = {row};
    const SpecBatch specs(rows, DType::kFloat32, kColumns);
    const ExpectedRow expected(row, kColumns);
    uint32_t kept = 0;
    for (const BackendSpec& spec : NextBackends()) {
      BatchResult results;
      ASSERT_TRUE(SharedBackend(spec).Run(specs.batch(), &results).ok());
      EXPECT_EQ(expected.Compare(results.rows()[0]), "") << Describe(spec) << ", z " << z;
      kept = results.rows()[0].support_size;
    }
    EXPECT_GT(kept, last) << z;
    last = kept;
  }
  EXPECT_GT(last, 768u);
}

}  // namespace
}  // namespace tessera::testing

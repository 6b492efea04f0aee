// Masks: vocabulary padding, allowed and banned ids, the grammar's bitmask. They commute and come
// before everything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/stage_table.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();

RowSpec FourTokens() {
  RowSpec row;
  row.logits = {3, 2, 1, 0};
  return row;
}

TEST(Masks, BannedIdsAreGone) {
  RowSpec row = FourTokens();
  row.banned = {0, 2, 0};
  EXPECT_THAT(Show(row).kept, ElementsAre(1, 3));
}

TEST(Masks, OnlyAllowedIdsStay) {
  RowSpec row = FourTokens();
  row.has_allowed = true;
  row.allowed = {3, 1, 3};
  EXPECT_THAT(Show(row).kept, ElementsAre(1, 3));
}

TEST(Masks, GrammarBitsAllow) {
  RowSpec row = FourTokens();
  row.grammar = {0b1010};
  EXPECT_THAT(Show(row).kept, ElementsAre(1, 3));
}

// A mask packed for fewer ids than the row has forbids the rest.
TEST(Masks, IdsBeyondTheGrammarsLastWordAreForbidden) {
  RowSpec row;
  row.logits.assign(70, 1.0f);
  row.grammar = {0, 0x80000001};
  EXPECT_THAT(Show(row).kept, ElementsAre(32, 63));
}

TEST(Masks, CombineByIntersection) {
  RowSpec row = FourTokens();
  row.grammar = {0b0111};
  row.has_allowed = true;
  row.allowed = {1, 2, 3};
  row.banned = {1};
  EXPECT_THAT(Show(row).kept, ElementsAre(2));
}

TEST(Masks, ThatLeaveNothingGiveEmptySupport) {
  RowSpec none_allowed = FourTokens();
  none_allowed.has_allowed = true;
  EXPECT_EQ(Show(none_allowed).outcome, Outcome::kEmptySupport);
  RowSpec all_banned = FourTokens();
  all_banned.banned = {0, 1, 2, 3};
  EXPECT_EQ(Show(all_banned).outcome, Outcome::kEmptySupport);
  RowSpec forbidden = FourTokens();
  forbidden.grammar = {0xFFFFFFF0};
  EXPECT_EQ(Show(forbidden).outcome, Outcome::kEmptySupport);
  RowSpec minus_infinity;
  minus_infinity.logits = {-kInf, -kInf};
  EXPECT_EQ(Show(minus_infinity).outcome, Outcome::kEmptySupport);
}

TEST(Masks, HideNanAndInfinity) {
  RowSpec row;
  row.logits = {std::nanf(""), 2, kInf, 0};
  EXPECT_EQ(Show(row).outcome, Outcome::kInvalidLogits);
  row.banned = {0};
  EXPECT_EQ(Show(row).outcome, Outcome::kInvalidLogits);
  row.banned = {0, 2};
  EXPECT_THAT(Show(row).kept, ElementsAre(1, 3));
}

TEST(Masks, ApplyBeforeTruncations) {
  RowSpec row = FourTokens();
  row.banned = {0};
  row.chain.stages = {TopK{2}};
  EXPECT_THAT(Show(row).kept, ElementsAre(1, 2));
}

// Columns from vocab_size on are never drawn, whatever they hold, and no law counts them.
TEST(Masks, PaddingIsNotThere) {
  RowSpec row;
  row.logits = {1, 1, 1, kInf, std::nanf(""), 50};
  row.samples = 64;
  row.logprob_modes = kAllModes;
  row.score_ids = {0, 1, 2};
  row.top_logprobs = 10;
  const std::vector<RowSpec> rows = {row};
  const ExpectedRow expected(rows[0], 3);
  EXPECT_EQ(expected.outcome(), Outcome::kOk);
  const SpecBatch specs(rows, DType::kFloat32, 3);
  for (const BackendSpec& spec : NextBackends()) {
    BatchResult results;
    ASSERT_TRUE(SharedBackend(spec).Run(specs.batch(), &results).ok());
    EXPECT_EQ(expected.Compare(results.rows()[0]), "") << Describe(spec);
    EXPECT_EQ(results.rows()[0].support_size, 3u) << Describe(spec);
  }
}

}  // namespace
}  // namespace tessera::testing

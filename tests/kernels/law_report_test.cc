// Laws that rows report: what the oracle's integers say of the support, of each id asked for and of
// each id listed, the same bits from every executor, and nothing else of the row changed by it.
// Random rows of every kind are judged in differential_test.cc as well.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<TokenId> AllIds(int64_t n) {
  std::vector<TokenId> ids(n);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

// Every executor against the oracle, and bit for bit against the first one.
void ExpectLaws(const std::vector<RowSpec>& rows, DType dtype, int64_t vocab_size) {
  const SpecBatch specs(rows, dtype, vocab_size);
  std::deque<ExpectedRow> expected;
  for (const RowSpec& row : rows) expected.emplace_back(row, vocab_size);
  std::vector<std::vector<uint32_t>> first;
  for (const BackendSpec& spec : NextBackends(3)) {
    BatchResult results;
    ASSERT_TRUE(SharedBackend(spec).Run(specs.batch(), &results).ok());
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::vector<uint32_t> bits = BitsOf(results.rows()[i]);
      if (first.size() <= i) first.push_back(bits);
      ASSERT_EQ(expected[i].Compare(results.rows()[i]), "")
          << Describe(spec) << ", vocab_size " << vocab_size << ", row " << i << ": "
          << Describe(rows[i]);
      ASSERT_EQ(bits, first[i]) << Describe(spec) << ": " << Describe(rows[i]);
    }
  }
}

RowSpec LawRow(std::vector<float> logits, std::vector<Stage> stages, uint32_t max_law_ids) {
  RowSpec row;
  row.score_ids = AllIds(std::min<int64_t>(kMaxScoredIds, static_cast<int64_t>(logits.size())));
  row.logits = std::move(logits);
  row.chain.stages = std::move(stages);
  row.seed = 11;
  row.want_law = true;
  row.max_law_ids = max_law_ids;
  return row;
}

TEST(LawReport, ListsASupportThatFitsAndNoOther) {
  const std::vector<float> logits = {1, 5, -kInf, 4, 4, 2};
  std::vector<RowSpec> rows;
  for (uint32_t most : {0u, 1u, 2u, 3u, 4u, 5u, 6u, kMaxLawIds}) {
    rows.push_back(LawRow(logits, {TopK{3}}, most));
    rows.push_back(LawRow(logits, {}, most));
    rows.push_back(LawRow(logits, {Greedy{}}, most));
  }
  ExpectLaws(rows, DType::kFloat32, 6);
}

// Longer than the shortest list that an executor may have, up to all that may be listed, and one
// more.
TEST(LawReport, ListsLongSupports) {
  Random random(21);
  for (Shape shape : {Shape::kFlat, Shape::kNormal, Shape::kAllTie, Shape::kFewValues}) {
    const std::vector<float> logits = RandomLogits(random, shape, 5000, DType::kFloat32);
    std::vector<RowSpec> rows;
    for (int32_t k : {127, 128, 129, 257, 1000, 4095, 4096, 4097}) {
      rows.push_back(LawRow(logits, {TopK{k}}, kMaxLawIds));
    }
    rows.push_back(LawRow(logits, {Temperature{0.8}, TopP{0.7}}, kMaxLawIds));
    rows.push_back(LawRow(logits, {TopK{3000}, MinP{0.01}}, 300));
    ExpectLaws(rows, DType::kFloat32, 5000);
    if (HasFatalFailure()) return;
  }
}

TEST(LawReport, WeighsARewrittenRowAndAPartialOne) {
  Random random(31);
  const std::vector<float> logits = RandomLogits(random, Shape::kNormal, 700, DType::kFloat32);
  std::vector<RowSpec> rows;
  for (const std::vector<Stage>& stages : std::vector<std::vector<Stage>>{
           {Xtc{1, 0.01}},
           {TypicalP{0.5}},
           {TopK{300}, DynamicTemperature{0.5, 1.5, 1}},
           {Smoothing{0.3, 1.5}, TopK{200}},
           {DrawRule{DrawOrder::kSorted, Generator::kPhilox}, TopP{.p = 0.7, .partial = true}},
           {MinP{0.01}, AdaptiveP{0.3, 0.9}}}) {
    rows.push_back(LawRow(logits, stages, kMaxLawIds));
    rows.push_back(LawRow(logits, stages, 3));
    rows.back().samples = 0;
  }
  ExpectLaws(rows, DType::kFloat32, 700);
}

TEST(LawReport, AsksForAnIdTwice) {
  RowSpec row = LawRow({3, 2, 1}, {TopK{2}}, 0);
  row.score_ids = {1, 1, 2, 0, 1};
  ExpectLaws({row}, DType::kBfloat16, 3);
}

TEST(LawReport, OfARowThatFailsIsEmpty) {
  const float nan = std::nanf("");
  const std::vector<RowSpec> rows = {
      LawRow({1, nan, 2}, {}, 9), LawRow({-kInf, -kInf, -kInf}, {}, 9), LawRow({1, 2, 3}, {}, 9)};
  ExpectLaws(rows, DType::kFloat32, 3);
  const SpecBatch specs(rows, DType::kFloat32, 3);
  for (const BackendSpec& spec : NextBackends(3)) {
    BatchResult results;
    ASSERT_TRUE(SharedBackend(spec).Run(specs.batch(), &results).ok());
    for (int i : {0, 1}) {
      EXPECT_EQ(results.rows()[i].law.total, 0u) << Describe(spec);
      for (uint64_t weight : results.rows()[i].law_weights) EXPECT_EQ(weight, 0u) << Describe(spec);
    }
  }
}

TEST(LawReport, ChangesNothingElse) {
  constexpr int64_t kWidth = 400;
  const std::vector<RowSpec> plain = [] {
    std::vector<RowSpec> rows = NormalRows(41, 60, kWidth);
    for (RowSpec& row : rows) row.want_law = false;
    return rows;
  }();
  std::vector<RowSpec> asked = plain;
  for (RowSpec& row : asked) {
    row.want_law = true;
    row.max_law_ids = kMaxLawIds;
  }
  const SpecBatch without(plain, DType::kFloat32, kWidth);
  const SpecBatch with(asked, DType::kFloat32, kWidth);
  for (const BackendSpec& spec : NextBackends(3)) {
    BatchResult expected;
    BatchResult got;
    ASSERT_TRUE(SharedBackend(spec).Run(without.batch(), &expected).ok());
    ASSERT_TRUE(SharedBackend(spec).Run(with.batch(), &got).ok());
    for (size_t i = 0; i < plain.size(); ++i) {
      RowResult bare = got.rows()[i];
      EXPECT_EQ(bare.law.total > 0, bare.outcome == Outcome::kOk);
      bare.law = {};
      bare.law_weights = {};
      bare.law_ids = {};
      if (!plain[i].want_support_size) bare.support_size = expected.rows()[i].support_size;
      EXPECT_EQ(BitsOf(bare), BitsOf(expected.rows()[i])) << Describe(spec) << Describe(plain[i]);
    }
  }
}

}  // namespace
}  // namespace tessera::testing

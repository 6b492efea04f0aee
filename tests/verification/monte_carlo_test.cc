// TOKEN over the first 128,256 logits of a real row (the recorded rows are longer), temperature 0.8
// and top-p 0.9 on both sides: drafts are accepted as often as sum(min(p, q)) says, and the first
// token follows the target's law. The laws are the oracle's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <vector>

#include "kernels/plan.h"
#include "kernels/verification/verify_drafts.h"
#include "tests/support/exact_residual.h"
#include "tests/support/row_spec.h"

namespace tessera {
namespace {

constexpr int64_t kColumns = 128256;
constexpr int kDrafts = 8000;
constexpr int kCall = 500;
constexpr double kTemperature = 0.8;
constexpr double kTopP = 0.9;

std::vector<float> RecordedRow() {
  std::ifstream file(TESSERA_RECORDED_ROWS, std::ios::binary);
  std::vector<uint16_t> bits(kColumns);
  file.read(reinterpret_cast<char*>(bits.data()), kColumns * 2);
  EXPECT_TRUE(file.good()) << TESSERA_RECORDED_ROWS;
  std::vector<float> row(kColumns);
  std::transform(bits.begin(), bits.end(), row.begin(), [](uint16_t b) {
    const uint32_t wide = uint32_t{b} << 16;
    float y;
    std::memcpy(&y, &wide, 4);
    return y;
  });
  return row;
}

Chain ChainOfBoth() { return {.stages = {Temperature{kTemperature}, TopP{kTopP}}}; }

// The probability of each id.
std::vector<double> LawOf(const std::vector<float>& row) {
  testing::RowSpec spec;
  spec.logits = row;
  spec.chain = ChainOfBoth();
  const oracle::ExactLaw exact = *oracle::LawOfRow(spec, kColumns);
  std::vector<double> law(row.size(), 0);
  for (size_t i = 0; i < exact.order.size(); ++i) {
    law[exact.order[i]] = static_cast<double>(exact.weights[i]) / static_cast<double>(exact.total);
  }
  return law;
}

// One row of logits in memory.
LogitsView ViewOf(const std::vector<float>& row) {
  return {reinterpret_cast<const std::byte*>(row.data()), DType::kFloat32, 1, kColumns,
          kColumns * 4};
}

struct Outcomes {
  int accepted = 0;
  std::vector<int> first_tokens = std::vector<int>(kColumns, 0);
};

// `drafts` verified one by one, all against the same two rows.
Outcomes VerifyAll(const std::vector<float>& target, const std::vector<float>& draft,
                   const std::vector<TokenId>& drafts) {
  const std::unique_ptr<Backend> backend = *MakeCpuBackend({});
  const Plan plan = *CompileChain(ChainOfBoth());
  RowInput row;
  row.plan = &plan;
  const std::vector<RowInput> targets(2, row);
  Outcomes outcomes;
  for (size_t first = 0; first < drafts.size(); first += kCall) {
    std::vector<DraftedSequence> sequences(kCall);
    for (size_t i = 0; i < sequences.size(); ++i) {
      sequences[i].ids = {&drafts[first + i], 1};
      sequences[i].target = targets;
      sequences[i].law = DraftLaw::kLogits;
      sequences[i].draft = {&row, 1};
      sequences[i].seed = first + i;
    }
    VerificationBatch batch;
    batch.target = ViewOf(target);
    batch.draft = ViewOf(draft);
    batch.vocab_size = kColumns;
    batch.sequences = sequences;
    std::vector<SequenceResult> results;
    EXPECT_TRUE(VerifyDrafts(batch, *backend, &results).ok());
    for (const SequenceResult& result : results) {
      EXPECT_EQ(result.outcome, Outcome::kOk);
      outcomes.accepted += result.verdict.accepted.empty() ? 0 : 1;
      ++outcomes.first_tokens[result.tokens.front()];
    }
  }
  return outcomes;
}

// Ids that are too rare to count alone are counted together.
void ExpectFollows(const std::vector<int>& counts, const std::vector<double>& law) {
  double statistic = 0;
  int bins = 0;
  double rare_expected = 0;
  int rare_count = 0;
  const auto add = [&](double expected, int count) {
    statistic += (count - expected) * (count - expected) / expected;
    ++bins;
  };
  for (size_t id = 0; id < law.size(); ++id) {
    if (law[id] == 0) {
      EXPECT_EQ(counts[id], 0) << "id " << id << " is outside the target's law";
    }
    if (law[id] * kDrafts >= 10) {
      add(law[id] * kDrafts, counts[id]);
    } else {
      rare_expected += law[id] * kDrafts;
      rare_count += counts[id];
    }
  }
  if (rare_expected > 0) add(rare_expected, rare_count);
  ASSERT_GT(bins, 5);
  EXPECT_LT(statistic, bins - 1 + 5 * std::sqrt(2.0 * (bins - 1))) << bins << " bins";
}

TEST(MonteCarloTest, TokenOnARealRowAcceptsAndEmitsAsTheLawsSay) {
  const std::vector<float> target = RecordedRow();
  std::mt19937_64 random(7);
  std::normal_distribution<float> noise(0, 0.7f);
  std::vector<float> draft = target;
  for (float& y : draft) y += noise(random);
  const std::vector<double> p = LawOf(target);
  const std::vector<double> q = LawOf(draft);
  std::discrete_distribution<TokenId> drafter(q.begin(), q.end());
  std::vector<TokenId> drafts(kDrafts);
  for (TokenId& id : drafts) id = drafter(random);

  const Outcomes outcomes = VerifyAll(target, draft, drafts);
  double rate = 0;
  for (size_t id = 0; id < p.size(); ++id) rate += std::min(p[id], q[id]);
  ASSERT_GT(rate, 0.2);
  ASSERT_LT(rate, 0.95);
  const double error = std::sqrt(rate * (1 - rate) / kDrafts);
  EXPECT_NEAR(static_cast<double>(outcomes.accepted) / kDrafts, rate, 4 * error);
  ExpectFollows(outcomes.first_tokens, p);
}

}  // namespace
}  // namespace tessera

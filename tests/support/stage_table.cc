#include "tests/support/stage_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "tests/support/backends.h"
#include "tests/support/expected_row.h"

namespace tessera::testing {
namespace {

ShownRow ShownFrom(const RowResult& result) {
  ShownRow shown;
  shown.outcome = result.outcome;
  if (result.outcome != Outcome::kOk) return shown;
  shown.tokens.assign(result.tokens.begin(), result.tokens.end());
  std::copy(std::begin(result.state), std::end(result.state), shown.state);
  const auto& scored = result.reports[static_cast<int>(LogprobMode::kProcessed)].scored;
  for (size_t id = 0; id < scored.size(); ++id) {
    shown.law.push_back(std::exp(static_cast<double>(scored[id].logprob)));
    if (std::isfinite(scored[id].logprob)) shown.kept.push_back(static_cast<TokenId>(id));
  }
  for (const TokenScore& score : result.reports[static_cast<int>(LogprobMode::kTempered)].scored) {
    shown.tempered.push_back(std::exp(static_cast<double>(score.logprob)));
  }
  return shown;
}

}  // namespace

ShownRow Show(RowSpec row) {
  row.score_ids.resize(row.logits.size());
  std::iota(row.score_ids.begin(), row.score_ids.end(), 0);
  row.logprob_modes = kAllModes;
  row.top_logprobs = static_cast<uint32_t>(row.logits.size());
  const auto vocab_size = static_cast<int64_t>(row.logits.size());
  const std::vector<RowSpec> rows = {row};
  const SpecBatch specs(rows, DType::kFloat32, vocab_size);
  const ExpectedRow expected(rows[0], vocab_size);
  ShownRow shown;
  std::vector<uint32_t> first_bits;
  for (const BackendSpec& spec : NextBackends()) {
    BatchResult results;
    const absl::Status status = SharedBackend(spec).Run(specs.batch(), &results);
    EXPECT_TRUE(status.ok()) << status;
    const RowResult& result = results.rows()[0];
    EXPECT_EQ(expected.Compare(result), "") << Describe(spec) << ": " << Describe(row);
    if (first_bits.empty()) {
      first_bits = BitsOf(result);
      shown = ShownFrom(result);
    }
    EXPECT_EQ(BitsOf(result), first_bits) << Describe(spec) << ": " << Describe(row);
  }
  return shown;
}

ShownRow Show(std::vector<float> logits, std::vector<Stage> stages) {
  RowSpec row;
  row.logits = std::move(logits);
  row.chain.stages = std::move(stages);
  return Show(std::move(row));
}

std::vector<TokenId> Kept(const std::vector<double>& probabilities, std::vector<Stage> stages) {
  return Show(LogitsOf(probabilities), std::move(stages)).kept;
}

std::vector<float> LogitsOf(const std::vector<double>& probabilities) {
  std::vector<float> logits;
  for (double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

}  // namespace tessera::testing

// Draws from a residual at every boundary between two of its tokens, and a call that is no longer
// wanted.
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "tests/support/backends.h"
#include "tests/support/exact_residual.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {
namespace {

using oracle::Uint128;

// ceil(cut * 2^128 / total), bit by bit: the smallest word that leaves `cut` behind.
Uint128 FirstWordAt(Uint128 cut, Uint128 total) {
  Uint128 word = 0;
  for (int bit = 0; bit < 128; ++bit) {
    cut <<= 1;  // below 2^127
    word <<= 1;
    if (cut >= total) {
      cut -= total;
      word |= 1;
    }
  }
  return cut == 0 ? word : word + 1;
}

// Two rows of a target and a draft, and their laws from `backend`.
class Pair {
 public:
  Pair(Backend& backend, const RowSpec& target, const RowSpec& draft, int64_t vocab_size)
      : backend_(backend),
        target_({target}, DType::kFloat32, vocab_size),
        draft_({draft}, DType::kBfloat16, vocab_size) {
    BatchResult results;
    EXPECT_TRUE(backend.Run(target_.batch(), &results).ok());
    input_.target = {target_.batch().rows.data(), results.rows()[0].law};
    EXPECT_TRUE(backend.Run(draft_.batch(), &results).ok());
    input_.draft = {draft_.batch().rows.data(), results.rows()[0].law};
    input_.a = input_.draft.law.total;
    input_.b = input_.target.law.total;
    input_.draw = true;
  }

  absl::Status Run(absl::Span<const Uint128> words, std::function<bool()> still_wanted,
                   std::vector<ResidualResult>* results) {
    std::vector<ResidualInput> inputs(words.size(), input_);
    for (size_t i = 0; i < words.size(); ++i) {
      inputs[i].word = {static_cast<uint64_t>(words[i] >> 64), static_cast<uint64_t>(words[i])};
    }
    ResidualBatch batch;
    batch.target = target_.batch().logits;
    batch.draft = draft_.batch().logits;
    batch.vocab_size = target_.batch().vocab_size;
    batch.residuals = inputs;
    batch.still_wanted = std::move(still_wanted);
    results->assign(words.size(), {});
    return backend_.RunResiduals(batch, absl::MakeSpan(*results));
  }

 private:
  Backend& backend_;
  const SpecBatch target_;
  const SpecBatch draft_;
  ResidualInput input_;
};

RowSpec LawRow(std::vector<float> logits, std::vector<Stage> stages) {
  RowSpec row;
  row.logits = std::move(logits);
  row.chain.stages = std::move(stages);
  row.samples = 0;
  row.want_law = true;
  return row;
}

TEST(Residuals, AreDrawnFromUpToTheLastWord) {
  const RowSpec target = LawRow({1, 3, 2, 2, 0, 1.5, 3, -1}, {Temperature{0.8}, TopK{7}});
  const RowSpec draft = LawRow({6, 3, 1, 2, 0.5, 1.5, 0, -1}, {TopP{0.99}});
  const std::vector<uint64_t> p = oracle::WeightsById(*oracle::LawOfRow(target, 8), 8);
  const std::vector<uint64_t> q = oracle::WeightsById(*oracle::LawOfRow(draft, 8), 8);
  const auto total_of = [](const std::vector<uint64_t>& weights) {
    uint64_t total = 0;
    for (uint64_t weight : weights) total += weight;
    return total;
  };
  const oracle::ExactResidual residual = oracle::ResidualOf(total_of(q), p, total_of(p), q, {});
  std::vector<Uint128> words = {0};
  std::vector<TokenId> tokens;
  Uint128 inclusive = 0;
  for (TokenId id = 0; id < 8; ++id) {
    if (residual.by_id[id] == 0) continue;
    tokens.insert(tokens.end(), {id, id});  // its first and its last word
    inclusive += residual.by_id[id];
    if (inclusive == residual.total) break;
    const Uint128 next = FirstWordAt(inclusive, residual.total);
    words.insert(words.end(), {next - 1, next});
  }
  words.push_back(~Uint128{0});
  ASSERT_GE(tokens.size(), 6u);
  for (const BackendSpec& spec : NextBackends(3)) {
    Pair pair(SharedBackend(spec), target, draft, 8);
    std::vector<ResidualResult> results;
    ASSERT_TRUE(pair.Run(words, nullptr, &results).ok());
    for (size_t i = 0; i < words.size(); ++i) {
      EXPECT_EQ(results[i].token, tokens[i]) << Describe(spec) << ", word " << i;
    }
  }
}

TEST(Residuals, StopWhenNoLongerWanted) {
  const RowSpec row = LawRow({1, 2, 3}, {});
  for (const BackendSpec& spec : NextBackends(3)) {
    Pair pair(SharedBackend(spec), row, row, 3);
    std::vector<ResidualResult> results;
    EXPECT_TRUE(pair.Run(
                        {1, 2}, [] { return true; }, &results)
                    .ok())
        << Describe(spec);
    EXPECT_EQ(pair.Run(
                      {1, 2}, [] { return false; }, &results)
                  .code(),
              absl::StatusCode::kCancelled)
        << Describe(spec);
    EXPECT_TRUE(pair.Run({}, nullptr, &results).ok()) << Describe(spec);
  }
}

}  // namespace
}  // namespace tessera::testing

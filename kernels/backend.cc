#include "kernels/backend.h"

#include <bitset>

namespace tessera {
namespace {

// How many entries a row's reports hold, over all its modes.
struct Wanted {
  size_t modes;
  size_t scores;
  size_t ranked;
};

Wanted WantedBy(const RowInput& input) {
  const size_t modes = std::bitset<8>(input.logprob_modes).count();
  return {modes, modes * (input.samples + input.score_ids.size()), modes * input.top_logprobs};
}

}  // namespace

absl::Status Backend::RunResiduals(const ResidualBatch&, absl::Span<ResidualResult>) {
  return absl::UnimplementedError(name() + " has no residuals");
}

void BatchResult::Reset(const Batch& batch) {
  size_t tokens = 0;
  size_t scores = 0;
  size_t ranked = 0;
  for (const RowInput& input : batch.rows) {
    const Wanted wanted = WantedBy(input);
    tokens += input.samples;
    scores += wanted.scores;
    ranked += wanted.ranked;
  }
  rows_.assign(batch.rows.size(), RowResult{});
  tokens_.assign(tokens, TokenId{-1});
  scores_.assign(scores, TokenScore{});
  ranked_.assign(ranked, RankedToken{});

  absl::Span<TokenId> free_tokens = absl::MakeSpan(tokens_);
  absl::Span<TokenScore> free_scores = absl::MakeSpan(scores_);
  absl::Span<RankedToken> free_ranked = absl::MakeSpan(ranked_);
  const auto take = [](auto& span, size_t n) {
    auto head = span.first(n);
    span.remove_prefix(n);
    return head;
  };
  for (size_t i = 0; i < batch.rows.size(); ++i) {
    const RowInput& input = batch.rows[i];
    rows_[i].tokens = take(free_tokens, input.samples);
    for (int mode = 0; mode < kLogprobModes; ++mode) {
      if ((input.logprob_modes >> mode & 1) == 0) continue;
      LogprobReport& report = rows_[i].reports[mode];
      report.sampled = take(free_scores, input.samples);
      report.scored = take(free_scores, input.score_ids.size());
      report.top = take(free_ranked, input.top_logprobs);
    }
  }
}

}  // namespace tessera

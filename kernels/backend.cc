#include "kernels/backend.h"

#include <algorithm>
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

void BatchResult::Reset(const Batch& batch) {
  size_t tokens = 0;
  size_t scores = 0;
  size_t ranked = 0;
  size_t law_weights = 0;
  size_t law_ids = 0;
  for (const RowInput& input : batch.rows) {
    const Wanted wanted = WantedBy(input);
    tokens += input.samples;
    scores += wanted.scores;
    ranked += wanted.ranked;
    if (!input.want_law) continue;
    law_weights += input.score_ids.size();
    law_ids += input.max_law_ids;
  }
  rows_.assign(batch.rows.size(), RowResult{});
  tokens_.assign(tokens, TokenId{-1});
  scores_.assign(scores, TokenScore{});
  ranked_.assign(ranked, RankedToken{});
  law_weights_.assign(law_weights, 0);
  law_ids_.assign(law_ids, WeightedId{});

  absl::Span<TokenId> free_tokens = absl::MakeSpan(tokens_);
  absl::Span<TokenScore> free_scores = absl::MakeSpan(scores_);
  absl::Span<RankedToken> free_ranked = absl::MakeSpan(ranked_);
  absl::Span<uint64_t> free_law_weights = absl::MakeSpan(law_weights_);
  absl::Span<WeightedId> free_law_ids = absl::MakeSpan(law_ids_);
  const auto take = [](auto& span, size_t n) {
    auto head = span.first(n);
    span.remove_prefix(n);
    return head;
  };
  for (size_t i = 0; i < batch.rows.size(); ++i) {
    const RowInput& input = batch.rows[i];
    rows_[i].tokens = take(free_tokens, input.samples);
    if (input.want_law) {
      rows_[i].law_weights = take(free_law_weights, input.score_ids.size());
      rows_[i].law_ids = take(free_law_ids, input.max_law_ids);
    }
    for (int mode = 0; mode < kLogprobModes; ++mode) {
      if ((input.logprob_modes >> mode & 1) == 0) continue;
      LogprobReport& report = rows_[i].reports[mode];
      report.sampled = take(free_scores, input.samples);
      report.scored = take(free_scores, input.score_ids.size());
      report.top = take(free_ranked, input.top_logprobs);
    }
  }
}

void SortLawIds(absl::Span<RowResult> rows) {
  for (RowResult& row : rows) {
    std::sort(row.law_ids.begin(), row.law_ids.end(),
              [](const WeightedId& a, const WeightedId& b) { return a.id < b.id; });
  }
}

}  // namespace tessera

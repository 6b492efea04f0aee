#include "service/emitted_logprobs.h"

namespace tessera {
namespace {

// The row of a position, to score one token.
RowInput ScoringRow(const RowInput& position, const TokenId* token) {
  RowInput row = position;
  row.samples = 0;
  row.words = {};
  row.score_ids = {token, 1};
  return row;
}

}  // namespace

absl::Status RunEmitted(const VerificationJob& job, absl::Span<const SequenceResult> results,
                        Backend& backend, const StillWanted& still_wanted, Job* emitted,
                        BatchResult* reports) {
  emitted->logits = job.target.logits;
  emitted->guidance = job.target.guidance;
  emitted->vocab_size = job.target.vocab_size;
  for (size_t i = 0; i < results.size(); ++i) {
    const absl::Span<const RowInput> positions = job.positions[i];
    if (positions.front().logprob_modes == 0) continue;
    uint32_t position = 0;
    for (size_t t = 0; t < results[i].tokens.size(); ++t) {
      emitted->rows.push_back(ScoringRow(positions[position], &results[i].tokens[t]));
      emitted->row_indices.push_back(job.indices[i]);
      const std::vector<uint32_t>& accepted = results[i].verdict.accepted;
      if (t < accepted.size()) position = accepted[t] + 1;
    }
  }
  if (emitted->rows.empty()) return absl::OkStatus();
  Batch batch = BatchOf(*emitted);
  if (still_wanted) batch.still_wanted = [&still_wanted] { return still_wanted().ok(); };
  return backend.Run(batch, reports);
}

}  // namespace tessera

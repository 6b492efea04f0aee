// Log-probabilities of a batch, one struct of arrays per mode.
#include <limits>

#include "service/decode_logprobs.h"
#include "service/encode.h"

namespace tessera {
namespace {

void AddRow(uint32_t row, const LogprobReport& report, bool want_entropy, v1::ModeLogprobs* mode) {
  mode->add_rows(row);
  for (const TokenScore& score : report.sampled) {
    mode->add_sampled_logprobs(score.logprob);
    mode->add_sampled_ranks(score.rank);
  }
  mode->add_sampled_offsets(static_cast<uint32_t>(mode->sampled_logprobs_size()));
  for (const TokenScore& score : report.scored) {
    mode->add_scored_logprobs(score.logprob);
    mode->add_scored_ranks(score.rank);
  }
  mode->add_scored_offsets(static_cast<uint32_t>(mode->scored_logprobs_size()));
  for (const RankedToken& token : report.top) {
    mode->add_top_ids(token.id);
    mode->add_top_logprobs(token.logprob);
  }
  mode->add_top_offsets(static_cast<uint32_t>(mode->top_ids_size()));
  mode->add_entropies(want_entropy ? report.entropy : std::numeric_limits<float>::quiet_NaN());
}

}  // namespace

void EncodeLogprobs(const Job& job, absl::Span<const RowResult> results,
                    v1::SampleTokensResponse* response) {
  uint8_t asked = 0;
  uint8_t entropies = 0;
  for (const RowInput& input : job.rows) {
    asked |= input.logprob_modes;
    entropies |= input.entropy_modes;
  }
  for (int m = 0; m < kLogprobModes; ++m) {
    const uint8_t bit = uint8_t(1 << m);
    if (!(asked & bit)) continue;
    v1::ModeLogprobs* mode = response->add_logprobs();
    mode->set_mode(ToProto(static_cast<LogprobMode>(m)));
    mode->add_sampled_offsets(0);
    mode->add_scored_offsets(0);
    mode->add_top_offsets(0);
    for (size_t i = 0; i < results.size(); ++i) {
      const RowInput& input = job.rows[i];
      if (!(input.logprob_modes & bit) || results[i].outcome != Outcome::kOk) continue;
      AddRow(job.row_indices[i], results[i].reports[m], input.entropy_modes & bit, mode);
    }
    if (!(entropies & bit)) mode->clear_entropies();
  }
}

}  // namespace tessera

// What became of a row: tokens, log-probabilities, an outcome.
#ifndef TESSERA_KERNELS_ROW_RESULT_H_
#define TESSERA_KERNELS_ROW_RESULT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "kernels/drawn_law.h"
#include "kernels/types.h"

namespace tessera {

struct TokenScore {
  float logprob;  // -inf outside the law's support; NaN in a raw mode that NaN or +inf spoils
  uint32_t rank;  // 1 + number of ids in the support with a strictly larger logit; 0 outside it
};

struct RankedToken {
  TokenId id;
  float logprob;
};

// One mode's report. Empty when the mode was not requested.
struct LogprobReport {
  absl::Span<TokenScore> sampled;  // [samples]
  absl::Span<TokenScore> scored;   // [score_ids]
  absl::Span<RankedToken> top;     // [min(top_logprobs, support size)], larger logit first
  float entropy = 0;               // nats; 0 unless asked for
};

struct RowResult {
  Outcome outcome = Outcome::kOk;
  bool raw_invalid = false;  // a received logit under a mask is NaN or +inf: raw modes are NaN
  TokenId invalid_id = -1;   // kInvalidLogits: the first offending id
  float invalid_logit = 0;   // and its logit after edits: NaN or +inf
  uint32_t support_size = 0;
  double state[2] = {0, 0};    // after the draw, where the plan is stateful
  absl::Span<TokenId> tokens;  // [samples]; -1 unless kOk
  LogprobReport reports[kLogprobModes];

  // Where the row wanted its law.
  DrawnLaw law;
  absl::Span<uint64_t> law_weights;  // [score_ids] 0 outside the support
  absl::Span<WeightedId> law_ids;  // ids ascending; [support_size], or empty where the support has
                                   // more than max_law_ids
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_RESULT_H_

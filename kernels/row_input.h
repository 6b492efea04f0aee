// What a row of a batch asks for. Plain words and spans, so that a copy of it with its spans moved
// works on a device too.
#ifndef TESSERA_KERNELS_ROW_INPUT_H_
#define TESSERA_KERNELS_ROW_INPUT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "kernels/steps.h"
#include "kernels/types.h"

namespace tessera {

struct Bias {
  TokenId id;
  float value;  // not NaN; -inf bans the id, +inf makes the row invalid
};

// How often an id stands in the row's history.
struct IdCount {
  TokenId id;
  uint32_t prompt_count;
  uint32_t output_count;
};

inline constexpr uint32_t kMaxSamples = 128;
inline constexpr uint32_t kMaxTopLogprobs = 128;
inline constexpr uint32_t kMaxScoredIds = 1024;
inline constexpr uint32_t kMaxLawIds = 4096;

// One row of a batch. Whoever builds it has checked it: `plan` is set, every id is in
// [0, vocab_size), ids in `bias` are distinct and so are those in each of `additions` and in
// `counts`, floats are not NaN, counts are at most kMaxSamples and so on. Spans must outlive the
// call to Run.
struct RowInput {
  const Plan* plan = nullptr;
  int64_t logits_row = 0;  // in [0, logits.rows)

  // The random words of the row are a function of these and of the sample's number alone.
  uint64_t seed = 0;
  uint32_t position = 0;             // index of the token to be drawn in its sequence
  uint32_t stream = 0;               // 0 for ordinary sampling
  uint32_t samples = 1;              // independent draws from the row's law; 0 only scores
  absl::Span<const uint64_t> words;  // [samples] of the draws, in place of Philox; or empty

  // Masks. They commute and apply before everything else.
  absl::Span<const uint32_t> grammar;  // bit v % 32 of word v / 32; empty: no grammar. Ids
                                       // beyond the last word are forbidden.
  bool has_allowed = false;            // only ids in `allowed` stay
  absl::Span<const TokenId> allowed;   // any order, repeats allowed
  absl::Span<const TokenId> banned;    // likewise; minimum-length stop ids belong here

  // What the plan's edits read.
  absl::Span<const Bias> bias;
  absl::Span<const IdCount> counts;
  absl::Span<const Bias> additions[kMaxAdditions];  // [plan->additions]; kernels/history_edits.h
  absl::Span<const uint32_t> green;  // bit v % 32 of word v / 32; ids beyond the last
                                     // word are not green
  int64_t guidance_row = -1;         // in [0, guidance.rows) of the batch where plan->uses_guidance

  // What the plan's last cut reads where the plan is stateful: mirostat's {mu, unused},
  // adaptive-p's {S, N}. Without it the stage's own start. samples <= 1.
  bool has_state = false;
  double state[2] = {0, 0};

  // What to report beside tokens.
  uint8_t logprob_modes = 0;  // bit 1 << LogprobMode
  uint8_t entropy_modes = 0;  // likewise, a subset: also the entropy of that law, in nats
  uint32_t top_logprobs = 0;  // per requested mode
  absl::Span<const TokenId> score_ids;
  bool ties_against = false;  // ranks count ids of the same logit before the token
  bool want_support_size = false;
  bool want_law = false;     // RowResult.law and law_weights
  uint32_t max_law_ids = 0;  // with want_law: list the support where it has no more ids than
                             // this; at most kMaxLawIds
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_INPUT_H_

// A response row by row: what SampleTokensResponse holds in parallel arrays, checked and regrouped.
#ifndef TESSERA_CLIENT_SAMPLED_ROWS_H_
#define TESSERA_CLIENT_SAMPLED_ROWS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera {

// A token and its logprob under one law.
struct TokenLogprob {
  int32_t id;
  float logprob;  // natural; -inf outside the law's support
  uint32_t rank;  // from 1, by the row's rank_rule; 0 outside the support
};

// A row's values in one mode.
struct SampledRowMode {
  v1::LogprobMode mode;
  std::vector<TokenLogprob> sampled;  // one for each drawn token
  std::vector<TokenLogprob> scored;   // one for each of the row's score_ids
  std::vector<TokenLogprob> top;      // larger logit first; here a rank is the place, from 1
  std::optional<float> entropy;       // nats; where the row asked for it
};

struct SampledRow {
  v1::RowOutcome outcome = v1::ROW_OUTCOME_UNSPECIFIED;
  std::string error;                     // why there are no tokens; empty where outcome is OK
  std::vector<int32_t> tokens;           // in sample order; empty where outcome is not OK
  std::optional<uint64_t> seed;          // the one used; none where the row draws nothing
  std::optional<uint32_t> support_size;  // where the row asked for it
  std::optional<v1::StageState> state;   // for SampleRow.state of the sequence's next draw
  bool raw_invalid = false;              // a masked logit is NaN or +inf: RAW values are NaN
  std::vector<SampledRowMode> modes;
};

// One entry for each row of `request`, which `response` must answer. Internal when the response's
// arrays contradict each other or the request; the message names the array.
absl::StatusOr<std::vector<SampledRow>> ReadRows(const v1::SampleTokensRequest& request,
                                                 const v1::SampleTokensResponse& response);

}  // namespace tessera

#endif  // TESSERA_CLIENT_SAMPLED_ROWS_H_

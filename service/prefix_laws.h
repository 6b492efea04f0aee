// The laws of a row after each prefix of a chain, and where in the order of tokens each one ends.
#ifndef TESSERA_SERVICE_PREFIX_LAWS_H_
#define TESSERA_SERVICE_PREFIX_LAWS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/backend.h"
#include "kernels/chain.h"
#include "service/job.h"
#include "service/run_job.h"

namespace tessera {

// What the first i stages made of the row.
struct PrefixLaw {
  Outcome outcome = Outcome::kOk;
  std::string error;  // empty where the outcome is OK; then, and only then, the rest is set
  std::shared_ptr<const std::vector<float>> logits;  // [vocab_size] after masks and edits
  uint32_t support_size = 0;
  double entropy = 0;            // nats
  double mass = 1;               // share of the mass before any truncation
  double kept_share = 1;         // of the mass that the last stage found
  std::vector<RankedToken> top;  // at least the likeliest one
  std::optional<double> state;   // the row's, for the stage that follows: mirostat's mu
  bool smoothed = false;         // the stages measure other logits than `logits`

  // The tokens left are those at [begin, end) of PrefixLaws::order, or all candidates while that is
  // empty.
  uint32_t begin = 0;
  uint32_t end = 0;
  TokenId lowest = -1;  // the last of them

  std::vector<float> logprobs;  // parallel to PrefixLaws::scored; -inf where cut
};

struct PrefixLaws {
  std::vector<PrefixLaw> laws;   // [stages + 1]; none after the first that is not OK
  std::vector<TokenId> order;    // larger logit first, then lower id; empty where nothing is cut
  std::vector<TokenId> scored;   // ascending
  std::vector<TokenId> leaders;  // the likeliest of the first law, then of the last, distinct

  float LogprobOf(const PrefixLaw& law, TokenId id) const;  // REQUIRES: scored
};

// `job.rows` are those of DecodePrefixRows for `chain`. Scores `watched` too. Errors are RunJob's.
absl::StatusOr<PrefixLaws> FindPrefixLaws(const Chain& chain, Job job, uint32_t leaders,
                                          absl::Span<const TokenId> watched, Backend& backend,
                                          const StillWanted& still_wanted);

}  // namespace tessera

#endif  // TESSERA_SERVICE_PREFIX_LAWS_H_

// Spreads a verification over rows: one SampleTokensRequest for all target positions and one for
// the draft laws, which are then decoded like any other.
#ifndef TESSERA_SERVICE_EXPAND_DRAFTS_H_
#define TESSERA_SERVICE_EXPAND_DRAFTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "service/decode_chain.h"
#include "service/limits.h"
#include "tessera/v1/sampling.pb.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

// One sequence as its rows stand in the two requests.
struct ExpandedSequence {
  v1::VerificationMethod method = v1::VERIFICATION_METHOD_UNSPECIFIED;
  double typical_epsilon = 0;
  double typical_alpha = 0;

  std::string refusal;  // why it is refused, with the field's path; then it has no rows
  std::vector<int32_t> ids;
  std::vector<int32_t> parents;    // [ids]
  std::vector<uint32_t> expanded;  // positions with children, ascending
  int first_target = 0;            // row of target: position 0; one for each position
  int first_draft = 0;             // row of draft: the first expanded position, where it has logits
};

struct ExpandedDrafts {
  v1::SampleTokensRequest target;
  v1::SampleTokensRequest draft;  // no rows and no logits where no sequence has draft logits
  std::vector<ExpandedSequence> sequences;
};

// Takes the tensors out of `request`, and counts its histories where their order does not matter
// (count_history.h); chains are decoded already and stay there. Faults of one sequence are its
// refusal.
//
// InvalidArgument: the rows of target_logits are not the positions of the sequences.
// ResourceExhausted: more positions than limits.max_rows, or ids in their histories and masks,
// counted once a position, than limits.max_sequence_ids.
absl::StatusOr<ExpandedDrafts> ExpandDrafts(absl::Span<const DecodedChain> chains,
                                            const Limits& limits, v1::VerifyDraftsRequest* request);

}  // namespace tessera

#endif  // TESSERA_SERVICE_EXPAND_DRAFTS_H_

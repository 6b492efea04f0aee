// The laws that the last tokens of a verification were drawn from, read again for people.
#ifndef TESSERA_SERVICE_LAST_POSITIONS_H_
#define TESSERA_SERVICE_LAST_POSITIONS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "kernels/backend.h"
#include "kernels/verification/verify_drafts.h"

namespace tessera {

// The position that a sequence's last token came from.
struct LastPosition {
  size_t sequence;
  std::vector<TokenId> ids;              // the target's likeliest
  std::vector<uint64_t> target_weights;  // P, of them
  std::vector<uint64_t> draft_weights;   // Q, likewise; 0 without a draft law
  uint64_t target_total = 0;             // W_p
  uint64_t draft_total = 0;              // W_q; 0 without a draft law
  int64_t draft_row = -1;                // among those that are read, or -1
};

// One for each sequence that is OK, in order. `results` are those of VerifyDrafts on `batch`.
absl::StatusOr<std::vector<LastPosition>> ReadLastPositions(
    const VerificationBatch& batch, absl::Span<const SequenceResult> results, Backend& backend);

}  // namespace tessera

#endif  // TESSERA_SERVICE_LAST_POSITIONS_H_

// Checks the shape of one sequence of drafts: its tree, and fields that must not be set.
#ifndef TESSERA_SERVICE_DRAFT_SEQUENCE_H_
#define TESSERA_SERVICE_DRAFT_SEQUENCE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "service/expand_drafts.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

// Fills ids, parents and expanded of `shape`. InvalidArgument without the sequence's place in
// front: "parents[2] is 5; ...".
absl::Status ReadTree(const v1::DraftSequence& sequence, int64_t vocab_size,
                      ExpandedSequence* shape);

// Everything else that needs neither rows nor chains. After ReadTree.
absl::Status CheckFields(const v1::DraftSequence& sequence, const ExpandedSequence& shape);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DRAFT_SEQUENCE_H_

// Checks the shape of one sequence of drafts: its tree, and fields that must not be set.
#ifndef TESSERA_SERVICE_DRAFT_SEQUENCE_H_
#define TESSERA_SERVICE_DRAFT_SEQUENCE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/verification/verify_drafts.h"
#include "service/expand_drafts.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

v1::VerificationMethod ToProto(VerificationMethod method);

// Fills ids, parents and expanded of `shape`. InvalidArgument without the sequence's place in
// front: "parents[2] is 5; ...".
absl::Status ReadTree(const v1::DraftSequence& sequence, int64_t vocab_size,
                      ExpandedSequence* shape);

// Fills the method, by its preset if it names one, and what it reads.
absl::Status ReadMethod(const v1::DraftSequence& sequence, ExpandedSequence* shape);

// Everything else that needs neither rows nor chains. After the others.
absl::Status CheckFields(const v1::DraftSequence& sequence, const ExpandedSequence& shape);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DRAFT_SEQUENCE_H_

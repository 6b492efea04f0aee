// One verification, checked: what the kernels decide, and the memory that it points into.
#ifndef TESSERA_SERVICE_VERIFICATION_JOB_H_
#define TESSERA_SERVICE_VERIFICATION_JOB_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/verification/verify_drafts.h"
#include "service/expand_drafts.h"
#include "service/job.h"
#include "service/limits.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

// The sequences that were accepted for running; the others are refused. Points into itself: it
// moves but does not copy.
struct VerificationJob {
  std::vector<DraftedSequence> sequences;  // those to run
  std::vector<uint32_t> indices;           // [sequences]: index in the request, ascending
  std::vector<RefusedRow> refused;         // rows are indices of sequences, ascending

  Job target;  // rows: positions
  Job draft;

  // [sequences]: the target rows that a sequence begins with.
  std::vector<absl::Span<const RowInput>> positions;

  // Owned memory that the above points into.
  std::unique_ptr<ExpandedDrafts> drafts;
  std::vector<std::vector<std::vector<WeightedId>>> sparse;
  std::vector<std::vector<absl::Span<const WeightedId>>> sparse_spans;
};

// Takes the tensors out of `request`, which must outlive the job. Seeds are filled in. Errors are
// those of DecodeRequest and ExpandDrafts, with the request's names of tensors.
absl::StatusOr<VerificationJob> DecodeVerification(v1::VerifyDraftsRequest* request,
                                                   const Limits& limits);

}  // namespace tessera

#endif  // TESSERA_SERVICE_VERIFICATION_JOB_H_

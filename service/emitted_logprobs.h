// Log-probabilities of the tokens that a verification emitted: one row more for each.
#ifndef TESSERA_SERVICE_EMITTED_LOGPROBS_H_
#define TESSERA_SERVICE_EMITTED_LOGPROBS_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kernels/backend.h"
#include "kernels/verification/verify_drafts.h"
#include "service/run_job.h"
#include "service/verification_job.h"

namespace tessera {

// Scores each emitted token of sequences that asked for logprobs, at the position that it comes
// from. `emitted` becomes a job of those rows, whose row_indices are sequences of the request and
// which points into `job` and `results`; `reports` what the backend made of it. Errors are those of
// the backend.
absl::Status RunEmitted(const VerificationJob& job, absl::Span<const SequenceResult> results,
                        Backend& backend, const StillWanted& still_wanted, Job* emitted,
                        BatchResult* reports);

}  // namespace tessera

#endif  // TESSERA_SERVICE_EMITTED_LOGPROBS_H_

// Writes a verification's results into its response.
#ifndef TESSERA_SERVICE_ENCODE_VERIFICATION_H_
#define TESSERA_SERVICE_ENCODE_VERIFICATION_H_

#include <vector>

#include "kernels/backend.h"
#include "kernels/verification/verify_drafts.h"
#include "service/verification_job.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

// What the backend found for a job.
struct VerificationAnswers {
  std::vector<SequenceResult> sequences;  // [job.sequences]
  Job emitted;                            // the rows of tokens whose logprobs were asked for
  BatchResult reports;                    // [emitted.rows]
  std::vector<v1::VerificationExplanation> explanations;  // [job.sequences], or none
};

// Everything but `execution` is set.
v1::VerifyDraftsResponse EncodeVerification(const v1::VerifyDraftsRequest& request,
                                            const VerificationJob& job,
                                            VerificationAnswers answers);

}  // namespace tessera

#endif  // TESSERA_SERVICE_ENCODE_VERIFICATION_H_

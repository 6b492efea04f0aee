// What VerifyDrafts tells of each sequence where it was asked to explain.
#ifndef TESSERA_SERVICE_EXPLAIN_VERIFICATION_H_
#define TESSERA_SERVICE_EXPLAIN_VERIFICATION_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kernels/backend.h"
#include "kernels/verification/verify_drafts.h"
#include "tessera/v1/explain.pb.h"

namespace tessera {

// Reads the row of each last token again for the likeliest tokens of its law. `results` are those
// of VerifyDrafts on `batch`; explanations become [sequences], empty where the outcome is not OK.
absl::Status ExplainVerification(const VerificationBatch& batch,
                                 absl::Span<const SequenceResult> results, Backend& backend,
                                 std::vector<v1::VerificationExplanation>* explanations);

}  // namespace tessera

#endif  // TESSERA_SERVICE_EXPLAIN_VERIFICATION_H_

// One VerifyDrafts call from request to response, without a transport.
#ifndef TESSERA_SERVICE_VERIFY_DRAFTS_H_
#define TESSERA_SERVICE_VERIFY_DRAFTS_H_

#include "absl/status/statusor.h"
#include "kernels/backend.h"
#include "service/limits.h"
#include "service/run_job.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

// Decode, fill seeds, verify, report, encode. Takes the tensors out of `request`. Errors are those
// of DecodeVerification, and as SampleTokens'. Thread-safe as far as `backend` is.
absl::StatusOr<v1::VerifyDraftsResponse> VerifyDrafts(v1::VerifyDraftsRequest* request,
                                                      Backend& backend, const Limits& limits,
                                                      const StillWanted& still_wanted = nullptr);

}  // namespace tessera

#endif  // TESSERA_SERVICE_VERIFY_DRAFTS_H_

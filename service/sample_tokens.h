// One SampleTokens call from request to response, without a transport.
#ifndef TESSERA_SERVICE_SAMPLE_TOKENS_H_
#define TESSERA_SERVICE_SAMPLE_TOKENS_H_

#include "absl/status/statusor.h"
#include "kernels/backend.h"
#include "service/limits.h"
#include "service/run_job.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera {

// Decode, fill seeds, run, encode. Errors are those of DecodeRequest and of `still_wanted`, and
// where the backend failed ResourceExhausted (its memory), Unavailable (its device is lost) or
// Internal. Thread-safe as far as `backend` is.
absl::StatusOr<v1::SampleTokensResponse> SampleTokens(const v1::SampleTokensRequest& request,
                                                      Backend& backend, const Limits& limits,
                                                      const StillWanted& still_wanted = nullptr);

}  // namespace tessera

#endif  // TESSERA_SERVICE_SAMPLE_TOKENS_H_

// Checks a row's request for log-probabilities; names the modes on both sides of the wire.
#ifndef TESSERA_SERVICE_DECODE_LOGPROBS_H_
#define TESSERA_SERVICE_DECODE_LOGPROBS_H_

#include "absl/status/status.h"
#include "kernels/backend.h"
#include "tessera/v1/row.pb.h"

namespace tessera {

// Fills logprob_modes, entropy_modes and top_logprobs of `input`, and ties_against where the
// request names a rank rule.
//
// InvalidArgument, its message beginning with the field: an unknown or repeated mode, an entropy
// mode that is not requested, more top tokens than the limit or without a mode, an unknown rule.
absl::Status DecodeLogprobs(const v1::LogprobRequest& request, RowInput* input);

v1::LogprobMode ToProto(LogprobMode mode);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_LOGPROBS_H_

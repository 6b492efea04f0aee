// Writes results into a response.
#ifndef TESSERA_SERVICE_ENCODE_H_
#define TESSERA_SERVICE_ENCODE_H_

#include "absl/types/span.h"
#include "kernels/backend.h"
#include "service/job.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera {

// `results` is parallel to job.rows, which came from `request`. Everything but `execution` is set.
v1::SampleTokensResponse EncodeResponse(const v1::SampleTokensRequest& request, const Job& job,
                                        absl::Span<const RowResult> results);

// Adds one ModeLogprobs for each mode that a row asked for, rows that are not OK left out.
void EncodeLogprobs(const Job& job, absl::Span<const RowResult> results,
                    v1::SampleTokensResponse* response);

// Adds the laws of rows that asked for theirs and are OK.
void EncodeLaws(const Job& job, absl::Span<const RowResult> results,
                v1::SampleTokensResponse* response);

// Adds the state that each row's chain goes on from, of rows that are OK and drew.
void EncodeStates(const Job& job, absl::Span<const RowResult> results,
                  v1::SampleTokensResponse* response);

}  // namespace tessera

#endif  // TESSERA_SERVICE_ENCODE_H_

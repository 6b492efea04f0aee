// The rows that explain a chain: one for each prefix of it, the empty one first.
#ifndef TESSERA_SERVICE_PREFIX_ROWS_H_
#define TESSERA_SERVICE_PREFIX_ROWS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "kernels/chain.h"
#include "service/job.h"
#include "service/limits.h"
#include "tessera/v1/explain.pb.h"

namespace tessera {

// A job and the request that it points into.
struct PrefixRows {
  std::unique_ptr<v1::SampleTokensRequest> request;
  Job job;  // rows[i] is the row after the first i stages; they draw nothing
};

// REQUIRES: `chain` compiles. InvalidArgument: the row or the tensors are refused; the message
// names the field as ExplainChainRequest has it.
absl::StatusOr<PrefixRows> DecodePrefixRows(const v1::ExplainChainRequest& request,
                                            const Chain& chain, const Limits& limits);

}  // namespace tessera

#endif  // TESSERA_SERVICE_PREFIX_ROWS_H_

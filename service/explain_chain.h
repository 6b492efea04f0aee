// One ExplainChain call from request to response, without a transport.
//
// Every prefix of the chain is compiled and run on the row like any other plan: what a stage did is
// the difference between the laws of two neighbouring prefixes.
#ifndef TESSERA_SERVICE_EXPLAIN_CHAIN_H_
#define TESSERA_SERVICE_EXPLAIN_CHAIN_H_

#include "absl/status/statusor.h"
#include "kernels/backend.h"
#include "service/limits.h"
#include "service/run_job.h"
#include "tessera/v1/explain.pb.h"

namespace tessera {

// InvalidArgument for whatever is wrong with the chain, the row or the logits, the field named as
// in the request; otherwise as SampleTokens. Thread-safe as far as `backend` is.
absl::StatusOr<v1::ExplainChainResponse> ExplainChain(const v1::ExplainChainRequest& request,
                                                      Backend& backend, const Limits& limits,
                                                      const StillWanted& still_wanted = nullptr);

}  // namespace tessera

#endif  // TESSERA_SERVICE_EXPLAIN_CHAIN_H_

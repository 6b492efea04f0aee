// Turns a client's chain into a plan, or says what is wrong with it.
#ifndef TESSERA_SERVICE_DECODE_CHAIN_H_
#define TESSERA_SERVICE_DECODE_CHAIN_H_

#include "absl/status/statusor.h"
#include "kernels/chain.h"
#include "kernels/plan.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {

// A chain after decoding. The two flags speak of what the client listed, no-ops included: a row may
// carry a bias for a chain whose logit_bias stage is there, whatever the plan made of it.
struct DecodedChain {
  absl::StatusOr<Plan> plan;  // InvalidArgument: "stages[1].top_p.p is 1.5; it must be in [0, 1]"
  bool has_bias_stage = false;
  bool has_penalty_stage = false;
  Chain chain = {};  // what `plan` was compiled from; empty where a stage could not be read
};

DecodedChain DecodeChain(const v1::SamplerChain& chain);

// The same from stages that are explicit already.
DecodedChain Compiled(Chain chain);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_CHAIN_H_

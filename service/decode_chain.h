// Turns a client's chain into a plan, or says what is wrong with it.
#ifndef TESSERA_SERVICE_DECODE_CHAIN_H_
#define TESSERA_SERVICE_DECODE_CHAIN_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "kernels/chain.h"
#include "kernels/plan.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {

// A chain after decoding. The flags speak of what the client listed or its preset expands to,
// no-ops included: a row may carry a bias for a chain whose logit_bias stage is there, whatever the
// plan made of it.
struct DecodedChain {
  absl::StatusOr<Plan> plan;  // InvalidArgument: "stages[1].top_p.p is 1.5; it must be in [0, 1]"
  bool has_bias_stage = false;
  bool has_penalty_stage = false;
  bool has_history_stage = false;  // one that reads the history's ids in order
  bool has_guidance_stage = false;
  bool has_mirostat_stage = false;
  bool has_adaptive_p_stage = false;
  bool ties_against = false;  // the preset's rank rule is TIES_AGAINST
  int64_t sequence_ids = 0;   // in the lists of its history stages: what each row looks at
  Chain chain = {};  // what `plan` was compiled from; empty where a stage could not be read
};

DecodedChain DecodeChain(const v1::SamplerChain& chain);

// The same from stages that are explicit already.
DecodedChain Compiled(Chain chain);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_CHAIN_H_

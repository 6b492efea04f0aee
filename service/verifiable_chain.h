// Which chains a verification may have.
#ifndef TESSERA_SERVICE_VERIFIABLE_CHAIN_H_
#define TESSERA_SERVICE_VERIFIABLE_CHAIN_H_

#include "absl/status/status.h"
#include "service/decode_chain.h"

namespace tessera {

// Acceptance weighs rows again after their laws are known, so a chain must leave the logits as they
// are after its edits. InvalidArgument names the stage that does not: "stages[1] (xtc) ...".
// REQUIRES: the chain's plan is OK.
absl::Status CheckVerifiable(const DecodedChain& chain);

}  // namespace tessera

#endif  // TESSERA_SERVICE_VERIFIABLE_CHAIN_H_

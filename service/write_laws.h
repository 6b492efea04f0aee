// Writes the laws of a chain's prefixes into the response of ExplainChain.
#ifndef TESSERA_SERVICE_WRITE_LAWS_H_
#define TESSERA_SERVICE_WRITE_LAWS_H_

#include "absl/types/span.h"
#include "kernels/chain.h"
#include "service/prefix_laws.h"
#include "tessera/v1/explain.pb.h"

namespace tessera {

// REQUIRES: `response` has a stage for each of the chain's, with its words.
void WriteLaws(const Chain& chain, const PrefixLaws& found, absl::Span<const TokenId> watched,
               v1::ExplainChainResponse* response);

}  // namespace tessera

#endif  // TESSERA_SERVICE_WRITE_LAWS_H_

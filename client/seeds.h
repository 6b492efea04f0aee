// Gives what draws a seed of its own before it is sent.
#ifndef TESSERA_CLIENT_SEEDS_H_
#define TESSERA_CLIENT_SEEDS_H_

#include "absl/status/status.h"
#include "tessera/v1/sampling.pb.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

// Whether a row draws, or a sequence is verified, and has no seed, so that the server would choose
// one: a retry would then draw other tokens.
bool LacksSeeds(const v1::SampleTokensRequest& request);
bool LacksSeeds(const v1::VerifyDraftsRequest& request);

// Sets the seed of every such row or sequence to 64 bits from the operating system. Internal when
// that has none to give.
absl::Status FillSeeds(v1::SampleTokensRequest* request);
absl::Status FillSeeds(v1::VerifyDraftsRequest* request);

}  // namespace tessera

#endif  // TESSERA_CLIENT_SEEDS_H_

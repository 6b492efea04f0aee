// Gives rows that draw a seed of their own before they are sent.
#ifndef TESSERA_CLIENT_SEEDS_H_
#define TESSERA_CLIENT_SEEDS_H_

#include "absl/status/status.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera {

// Whether a row draws and has no seed, so that the server would choose one: a retry would then
// draw other tokens.
bool LacksSeeds(const v1::SampleTokensRequest& request);

// Sets the seed of every such row to 64 bits from the operating system. Internal when that has
// none to give.
absl::Status FillSeeds(v1::SampleTokensRequest* request);

}  // namespace tessera

#endif  // TESSERA_CLIENT_SEEDS_H_

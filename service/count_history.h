// Brings the histories of a verification into the form that costs least: every position of a
// sequence gets a copy of its history.
#ifndef TESSERA_SERVICE_COUNT_HISTORY_H_
#define TESSERA_SERVICE_COUNT_HISTORY_H_

#include "absl/types/span.h"
#include "service/decode_chain.h"
#include "service/limits.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

// Puts counts in place of the ids of each history whose order neither chain of its sequence reads.
// What a row makes of either is the same. A history that would be refused stays as it is, for the
// refusal to name its field.
void CountHistories(absl::Span<const DecodedChain> chains, const Limits& limits,
                    v1::VerifyDraftsRequest* request);

}  // namespace tessera

#endif  // TESSERA_SERVICE_COUNT_HISTORY_H_

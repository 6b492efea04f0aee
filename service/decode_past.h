// Checks what a row says of its sequence so far, and works out what its chain makes of it.
#ifndef TESSERA_SERVICE_DECODE_PAST_H_
#define TESSERA_SERVICE_DECODE_PAST_H_

#include "absl/status/status.h"
#include "service/decode_row.h"
#include "tessera/v1/row.pb.h"

namespace tessera {

// Fills counts, edits and banned of `lists`: history, the bans and additions of history stages, and
// the stop ids that min_tokens still holds back. `slots` is clear before and after.
//
// InvalidArgument, its message beginning with the field: a history that nothing reads, or that is
// counts where its order is needed; ids out of range, lists too long.
absl::Status DecodePast(const v1::SampleRow& row, const DecodedChain& chain,
                        const BatchScope& scope, IdSlots* slots, RowLists* lists);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_PAST_H_

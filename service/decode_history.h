// Turns a row's history into counts per id.
#ifndef TESSERA_SERVICE_DECODE_HISTORY_H_
#define TESSERA_SERVICE_DECODE_HISTORY_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "kernels/backend.h"
#include "service/id_slots.h"
#include "tessera/v1/row.pb.h"

namespace tessera {

inline constexpr TokenId kPaddingId = -1;

// True where there is nothing in it.
bool IsEmpty(const v1::TokenHistory& history);

// Fills `counts` with one entry per distinct id (in the order of first appearance, -1 skipped) and
// `output_length` with the number of output tokens. `slots` is clear before and after.
//
// InvalidArgument, its message beginning with the field ("history.output_ids[3] is ..."): an id out
// of range, ids and counts both, a repeated or excessive count, more than `max_history` entries.
absl::Status DecodeHistory(const v1::TokenHistory& history, int64_t vocab_size, int64_t max_history,
                           IdSlots* slots, std::vector<IdCount>* counts, uint64_t* output_length);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_HISTORY_H_

// The state of a chain's stage or generator as a person types it: "mirostat=9.5,xorshift64=42".
#ifndef TESSERA_CLIENT_STATE_TEXT_H_
#define TESSERA_CLIENT_STATE_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/v1/row.pb.h"

namespace tessera {

// "mirostat=MU" or "adaptive_p=WEIGHTED_SUM:TOTAL_WEIGHT", and "xorshift64=STATE"; several are
// separated by commas. InvalidArgument says what is accepted.
absl::StatusOr<v1::StageState> ParseState(absl::string_view text);

// The text that ParseState reads as the same bits.
std::string StateText(const v1::StageState& state);

}  // namespace tessera

#endif  // TESSERA_CLIENT_STATE_TEXT_H_

// Logit bias adds the row's own per-id values at this place of the chain: y + bias[id].
#ifndef TESSERA_KERNELS_STAGES_LOGIT_BIAS_H_
#define TESSERA_KERNELS_STAGES_LOGIT_BIAS_H_

#include "kernels/stages/refusal.h"

namespace tessera {

struct LogitBias {};  // the values belong to the row: RowInput::bias

inline Refusal Check(const LogitBias&) { return {}; }

inline bool IsOff(const LogitBias&) { return false; }

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_LOGIT_BIAS_H_

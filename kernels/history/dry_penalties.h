// DRY's penalties for one history (kernels/stages/dry.h says what they are).
#ifndef TESSERA_KERNELS_HISTORY_DRY_PENALTIES_H_
#define TESSERA_KERNELS_HISTORY_DRY_PENALTIES_H_

#include <vector>

#include "absl/types/span.h"
#include "kernels/history/sequence_index.h"
#include "kernels/row_input.h"
#include "kernels/stages/dry.h"

namespace tessera {

// What to add to which id, ids ascending. `breakers` are the stage's.
std::vector<Bias> DryPenalties(const Dry& stage, const SequenceIndex& breakers,
                               absl::Span<const TokenId> history);

}  // namespace tessera

#endif  // TESSERA_KERNELS_HISTORY_DRY_PENALTIES_H_

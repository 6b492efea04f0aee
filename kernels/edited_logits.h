// The logits of a row after masks and edits: what the order of tokens is made from. For reports on
// the host; executors have their own way there.
#ifndef TESSERA_KERNELS_EDITED_LOGITS_H_
#define TESSERA_KERNELS_EDITED_LOGITS_H_

#include <vector>

#include "kernels/backend.h"

namespace tessera {

// [vocab_size], -inf where masked. `row` is one of the batch's, or could be.
std::vector<float> EditedLogits(const Batch& batch, const RowInput& row);

}  // namespace tessera

#endif  // TESSERA_KERNELS_EDITED_LOGITS_H_

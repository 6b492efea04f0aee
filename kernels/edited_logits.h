// The logits of a row after masks and edits: what the order of tokens is made from. For reports on
// the host; executors have their own way there.
#ifndef TESSERA_KERNELS_EDITED_LOGITS_H_
#define TESSERA_KERNELS_EDITED_LOGITS_H_

#include <cstdint>
#include <vector>

#include "kernels/row_input.h"
#include "kernels/types.h"

namespace tessera {

// [vocab_size], -inf where masked. `row` is as Backend::Run takes it.
std::vector<float> EditedLogits(const LogitsView& logits, int64_t vocab_size, const RowInput& row);

}  // namespace tessera

#endif  // TESSERA_KERNELS_EDITED_LOGITS_H_

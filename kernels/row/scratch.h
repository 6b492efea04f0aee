// One thread's memory for a row: handed in, so that nothing on the way allocates.
#ifndef TESSERA_KERNELS_ROW_SCRATCH_H_
#define TESSERA_KERNELS_ROW_SCRATCH_H_

#include <cstdint>

#include "kernels/math/key.h"
#include "kernels/row/passes.h"

namespace tessera {

// Views of memory sized for `columns`; every pointer is 64-byte aligned.
struct RowScratch {
  uint32_t columns = 0;
  uint32_t list_capacity = 0;        // keys a row's list may hold, in [128, columns] or columns
  PassScratch edited;                // narrowing state of the row that is sampled
  PassScratch received;              // of the row as received, when it differs and is reported on
  float* edited_row = nullptr;       // [columns] logits after masks and edits
  float* masked_row = nullptr;       // [columns] received logits under the grammar alone
  TokenKey* candidates = nullptr;    // [columns] in id order
  uint64_t* weights = nullptr;       // [columns] of the candidates
  TokenKey* work = nullptr;          // [columns]
  uint64_t* work_weights = nullptr;  // [columns]
  uint64_t* chunk_sums = nullptr;    // [chunks]
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SCRATCH_H_

// From a batch to the row algorithm: the same few lines for every executor on a CPU.
#ifndef TESSERA_KERNELS_CPU_BATCH_ROWS_H_
#define TESSERA_KERNELS_CPU_BATCH_ROWS_H_

#include "kernels/backend.h"
#include "kernels/row/sample_row.h"
#include "kernels/row/serial_row.h"

namespace tessera {

// Where the logits of one of the batch's rows stand, and those that guide it.
inline RowView ReceivedRow(const Batch& batch, const RowInput& input) {
  const bool guided = input.plan->uses_guidance;
  return {batch.logits.Row(input.logits_row), batch.logits.dtype,
          static_cast<uint32_t>(batch.vocab_size),
          guided ? batch.guidance.Row(input.guidance_row) : nullptr};
}

// Runs row `index` of `batch`. `scratch` fits vocab_size columns.
template <class Passes>
void RunRow(const Batch& batch, size_t index, RowScratch& scratch, RowResult* result) {
  const RowInput& input = batch.rows[index];
  SerialRow<Passes> serial(ReceivedRow(batch, input), input, scratch, result);
  SampleRow(serial);
  SortLawIds({result, 1});
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_CPU_BATCH_ROWS_H_

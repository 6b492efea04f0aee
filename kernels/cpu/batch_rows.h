// From a batch to the row algorithm: the same few lines for every executor on a CPU.
#ifndef TESSERA_KERNELS_CPU_BATCH_ROWS_H_
#define TESSERA_KERNELS_CPU_BATCH_ROWS_H_

#include "kernels/backend.h"
#include "kernels/row/edits.h"
#include "kernels/row/residual_row.h"
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

// The row as it is sampled, for passes; an edited copy stands in `scratch`.
template <class Passes>
Passes SampledRow(const RowView& received, const RowInput& input, RowScratch& scratch) {
  if (!NeedsCopy(input)) return Passes(received, scratch.edited);
  Passes passes(received, scratch.received);
  WriteEditedRow(passes, input, scratch.edited_row);
  return Passes(RowView{scratch.edited_row, DType::kFloat32, received.columns}, scratch.edited);
}

inline RowView DraftRow(const ResidualBatch& batch, const RowInput& input) {
  return {batch.draft.Row(input.logits_row), batch.draft.dtype,
          static_cast<uint32_t>(batch.vocab_size), nullptr};
}

// Two rows' memory; each fits vocab_size columns. `draft` is not looked at where the residual has
// no draft row.
struct ResidualScratch {
  RowScratch* target;
  RowScratch* draft;
};

// Runs residual `index` of `batch`.
template <class Passes>
void RunResidual(const ResidualBatch& batch, size_t index, const ResidualScratch& scratch,
                 ResidualResult* result) {
  const ResidualInput& input = batch.residuals[index];
  const LawOfRow& target = input.target;
  const LawOfRow& draft = input.draft;
  const bool guided = target.row->plan->uses_guidance;
  const RowView received{batch.target.Row(target.row->logits_row), batch.target.dtype,
                         static_cast<uint32_t>(batch.vocab_size),
                         guided ? batch.guidance.Row(target.row->guidance_row) : nullptr};
  Passes target_passes = SampledRow<Passes>(received, *target.row, *scratch.target);
  const auto p = WeighedByLaw(&target_passes, target.law);
  if (draft.row == nullptr) {
    *result = ResidualRow<Passes>(p, {}, input).Run();
    return;
  }
  Passes draft_passes = SampledRow<Passes>(DraftRow(batch, *draft.row), *draft.row, *scratch.draft);
  *result = ResidualRow<Passes>(p, WeighedByLaw(&draft_passes, draft.law), input).Run();
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_CPU_BATCH_ROWS_H_

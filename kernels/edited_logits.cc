#include "kernels/edited_logits.h"

#include "kernels/row/edits.h"
#include "kernels/scalar/scalar_passes.h"

namespace tessera {

std::vector<float> EditedLogits(const Batch& batch, const RowInput& row) {
  const bool guided = row.plan->uses_guidance;
  const RowView received{batch.logits.Row(row.logits_row), batch.logits.dtype,
                         static_cast<uint32_t>(batch.vocab_size),
                         guided ? batch.guidance.Row(row.guidance_row) : nullptr};
  std::vector<float> edited(size_t{received.chunks()} * kChunkIds);
  ScalarPasses passes(received, PassScratch{});
  WriteEditedRow(passes, row, edited.data());
  edited.resize(received.columns);
  return edited;
}

}  // namespace tessera

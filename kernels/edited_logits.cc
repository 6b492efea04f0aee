#include "kernels/edited_logits.h"

#include "kernels/row/edits.h"
#include "kernels/scalar/scalar_passes.h"

namespace tessera {

std::vector<float> EditedLogits(const LogitsView& logits, int64_t vocab_size, const RowInput& row) {
  const RowView received{logits.Row(row.logits_row), logits.dtype,
                         static_cast<uint32_t>(vocab_size)};
  std::vector<float> edited(size_t{received.chunks()} * kChunkIds);
  ScalarPasses passes(received, PassScratch{});
  WriteEditedRow(passes, row, edited.data());
  edited.resize(received.columns);
  return edited;
}

}  // namespace tessera

// Packs what residuals ask for and the room for their results into one block of bytes, as
// pack_batch.h does for rows.
//
//   ResidualInput[n] | RowInput[2 n], target and draft | plans and lists, each distinct one once |
//   ResidualResult[n]
#ifndef TESSERA_KERNELS_CUDA_PACK_RESIDUALS_H_
#define TESSERA_KERNELS_CUDA_PACK_RESIDUALS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kernels/cuda/pack_batch.h"
#include "kernels/cuda/placed_spans.h"
#include "kernels/residual_input.h"

namespace tessera {

// At most what the residual adds to a block.
size_t PackedBytes(const ResidualInput& residual);

class ResidualPacker {
 public:
  // Works out where everything goes. `residuals` must outlive the other calls. ResourceExhausted
  // when the block would take more than `most_bytes`.
  absl::Status Measure(absl::Span<const ResidualInput> residuals, size_t most_bytes);

  size_t bytes() const { return bytes_; }
  size_t results_offset() const { return results_offset_; }
  size_t results_bytes() const { return bytes_ - results_offset_; }

  // Writes the block for a copy of it at `device`. target[i] and draft[i] are where the logits of
  // residual i's rows stand there; draft[i] is not looked at where it has no draft row.
  void Write(absl::Span<const PlacedRow> target, absl::Span<const PlacedRow> draft,
             std::byte* device, std::byte* block) const;

  // From a block whose results were brought back.
  void Unpack(const std::byte* block, absl::Span<ResidualResult> results) const;

 private:
  absl::Span<const ResidualInput> residuals_;
  PlacedSpans placed_;
  size_t rows_offset_ = 0;
  size_t results_offset_ = 0;
  size_t bytes_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_PACK_RESIDUALS_H_

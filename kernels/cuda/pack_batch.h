// Packs what rows ask for and the room for their results into one block of bytes, whose pointers
// are device addresses; one copy takes it there and one brings the results back.
//
//   RowInput[rows] | plans and lists, each distinct one once | RowResult[rows] | tokens, scores,
//   ...
//
// Every part starts at a multiple of 16 bytes.
#ifndef TESSERA_KERNELS_CUDA_PACK_BATCH_H_
#define TESSERA_KERNELS_CUDA_PACK_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kernels/cuda/placed_spans.h"
#include "kernels/row_input.h"
#include "kernels/row_result.h"

namespace tessera {

// At most what the row adds to a block: as if it shared nothing.
size_t PackedBytes(const RowInput& row, const RowResult& result);

// Where the matrices' rows that a row needs stand on the device.
struct PlacedRow {
  int64_t logits;
  int64_t guidance;  // -1: none
};

class BatchPacker {
 public:
  // Works out where everything goes. `results` were sized for `rows` (BatchResult::Reset) and name
  // the host memory that results will be brought to; both must outlive the other calls.
  // ResourceExhausted when the block would take more than `most_bytes`.
  absl::Status Measure(absl::Span<const RowInput> rows, absl::Span<RowResult> results,
                       size_t most_bytes);

  // Of the block; the results are its end.
  size_t bytes() const { return bytes_; }
  size_t results_offset() const { return results_offset_; }
  size_t results_bytes() const { return bytes_ - results_offset_; }

  // Writes the block for a copy of it at `device`. placed[i] replaces row i's logits_row and
  // guidance_row; empty: they stay.
  void Write(absl::Span<const PlacedRow> placed, std::byte* device, std::byte* block) const;

  // From a block whose results were brought back. Host spans stay host spans, shortened where a row
  // found less. May be called again, after another launch.
  void Unpack(const std::byte* block) const;

 private:
  absl::Span<const RowInput> rows_;
  absl::Span<RowResult> results_;
  std::vector<size_t> room_;  // entries of each result list, by results
  PlacedSpans inputs_;
  size_t results_offset_ = 0;
  size_t bytes_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_PACK_BATCH_H_

// Brings the logits of rows to the device, those that guide them too: each distinct row once, in
// the order in which the rows need them, at a pitch that bulk copies can use.
#ifndef TESSERA_KERNELS_CUDA_LOGITS_UPLOAD_H_
#define TESSERA_KERNELS_CUDA_LOGITS_UPLOAD_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kernels/backend.h"
#include "kernels/cuda/pack_batch.h"
#include "kernels/cuda/placed_spans.h"
#include "kernels/cuda/streams.h"

namespace tessera {

// Bytes from one row to the next on the device: of the vocabulary, without what stands behind it.
size_t DevicePitch(const Batch& batch);

// At most what the logits of one row take there.
size_t LogitsBytes(const Batch& batch, const RowInput& row);

class LogitsUpload {
 public:
  // Works out what the rows, which are some of the batch's, need. Both must outlive the calls of
  // Copy and what these put into a stream.
  void Measure(const Batch& batch, absl::Span<const RowInput> rows);

  size_t pitch() const { return pitch_; }
  size_t bytes() const { return distinct_.entries().size() * pitch_; }

  // Where each row's logits stand on the device, counted in rows; the guidance among them.
  absl::Span<const PlacedRow> device_rows() const { return device_rows_; }

  // Puts copies of the device rows [first, end) into `stream`. `to` has bytes().
  absl::Status Copy(size_t first, size_t end, std::byte* to, StreamView stream) const;

 private:
  int64_t PlaceRow(const std::byte* start, size_t* next);

  size_t width_ = 0;  // bytes of a row that are looked at
  size_t pitch_ = 0;
  PlacedSpans distinct_;
  std::vector<PlacedRow> device_rows_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_LOGITS_UPLOAD_H_

#include "kernels/cuda/logits_upload.h"

#include "kernels/cuda/cuda_api.h"
#include "kernels/cuda/cuda_status.h"

namespace tessera {
namespace {

constexpr uintptr_t kMostPitch = 0x7FFFFFFF;  // that a copy of several rows takes

uintptr_t AddressOf(const PlacedSpans::Entry& entry) {
  return reinterpret_cast<uintptr_t>(entry.start);
}

// Rows that stand at equal distances from `first` on, to be copied at once.
struct Run {
  size_t rows;
  size_t stride;  // bytes
};

Run RunFrom(absl::Span<const PlacedSpans::Entry> rows, size_t width) {
  if (rows.size() < 2) return {1, width};
  const uintptr_t stride = AddressOf(rows[1]) - AddressOf(rows[0]);
  if (stride < width || stride > kMostPitch) return {1, width};
  size_t n = 2;
  while (n < rows.size() && AddressOf(rows[n]) - AddressOf(rows[n - 1]) == stride) ++n;
  return {n, stride};
}

}  // namespace

size_t DevicePitch(const Batch& batch) {
  return After(0, static_cast<size_t>(batch.vocab_size * SizeOf(batch.logits.dtype)));
}

size_t LogitsBytes(const Batch& batch, const RowInput& row) {
  return DevicePitch(batch) * (row.plan->uses_guidance ? 2 : 1);
}

int64_t LogitsUpload::PlaceRow(const std::byte* start, size_t* next) {
  return static_cast<int64_t>(distinct_.Place(start, width_, next) / pitch_);
}

void LogitsUpload::Measure(const Batch& batch, absl::Span<const RowInput> rows) {
  width_ = static_cast<size_t>(batch.vocab_size * SizeOf(batch.logits.dtype));
  pitch_ = DevicePitch(batch);
  distinct_.Clear();
  device_rows_.clear();
  size_t next = 0;
  for (const RowInput& row : rows) {
    const int64_t logits = PlaceRow(batch.logits.Row(row.logits_row), &next);
    const int64_t guidance = row.plan->uses_guidance
                                 ? PlaceRow(batch.guidance.Row(row.guidance_row), &next)
                                 : int64_t{-1};
    device_rows_.push_back({logits, guidance});
  }
}

absl::Status LogitsUpload::Copy(size_t first, size_t end, std::byte* to, StreamView stream) const {
  while (first < end) {
    const auto rows = distinct_.entries().subspan(first, end - first);
    const Run run = RunFrom(rows, width_);
    std::byte* start = to + rows[0].offset;
    const bool dense = run.rows == 1 || (run.stride == width_ && pitch_ == width_);
    const cudaError_t error =
        dense ? cudaMemcpyAsync(start, rows[0].start, run.rows * width_, cudaMemcpyHostToDevice,
                                stream.get())
              : cudaMemcpy2DAsync(start, pitch_, rows[0].start, run.stride, width_, run.rows,
                                  cudaMemcpyHostToDevice, stream.get());
    if (error != cudaSuccess) return CudaStatus(error, "copying logits to the device");
    first += run.rows;
  }
  return absl::OkStatus();
}

}  // namespace tessera

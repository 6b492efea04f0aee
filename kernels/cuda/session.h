// Two streams and the memory to run batches in: uploads on one beside kernels on the other. What a
// batch needs is kept for the next, so that a steady state allocates nothing and waits once, for
// the results.
#ifndef TESSERA_KERNELS_CUDA_SESSION_H_
#define TESSERA_KERNELS_CUDA_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "kernels/backend.h"
#include "kernels/cuda/buffers.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/logits_upload.h"
#include "kernels/cuda/pack_batch.h"
#include "kernels/cuda/pack_residuals.h"
#include "kernels/cuda/streams.h"

namespace tessera {

// Logits that are on the device already.
struct DeviceLogits {
  const std::byte* data = nullptr;  // aligned to its dtype; 16 bytes are faster
  DType dtype = DType::kFloat32;
  int64_t row_stride_bytes = 0;  // a multiple of the element; multiples of 16 are faster
  uint32_t columns = 0;          // the vocabulary
};

// Not thread-safe: one batch at a time. `device` must outlive it and be the caller's current one.
// After an error nothing of the batch is running any more.
class Session {
 public:
  static absl::StatusOr<std::unique_ptr<Session>> Create(const Device& device);

  // Runs `rows`, which are some of the batch's. `results` were sized for them. Cancelled when
  // still_wanted says no, which is asked before every block of rows.
  absl::Status Run(const Batch& batch, absl::Span<const RowInput> rows,
                   absl::Span<RowResult> results);

  // Sums `residuals`, which are some of the batch's, and draws from them. results is [residuals].
  absl::Status RunResiduals(const ResidualBatch& batch, absl::Span<const ResidualInput> residuals,
                            absl::Span<ResidualResult> results);

  // The same as Run where the logits are on the device: logits_row and guidance_row count its rows.
  absl::Status RunOnDevice(const DeviceLogits& logits, absl::Span<const RowInput> rows,
                           absl::Span<RowResult> results);

  // RunOnDevice's three steps. Launch may be repeated, and captured into a CUDA graph: it puts
  // kernels into stream() and does nothing else.
  absl::Status Prepare(const DeviceLogits& logits, absl::Span<const RowInput> rows,
                       absl::Span<RowResult> results);
  absl::Status Launch();
  absl::Status Finish();
  StreamView stream() const { return kernels_.view(); }

  // False once its streams could not be waited for: then it is only to be destroyed.
  bool usable() const { return usable_; }

  // How much the rows of one Run should take on the device at most.
  size_t window_bytes() const { return window_bytes_; }
  void set_window_bytes(size_t bytes) { window_bytes_ = bytes; }

  // For others to use, or to make do with less. REQUIRES: nothing is prepared that is to be run.
  void ReleaseMemory();

 private:
  // Rows that one launch runs.
  struct RowBlock {
    size_t first;
    size_t end;
    LaunchShape shape;
  };

  Session(const Device& device, Stream copies, Stream kernels, Event copied);

  absl::Status RunBlocks(const Batch& batch, absl::Span<const RowInput> rows,
                         absl::Span<RowResult> results);
  absl::Status PrepareBlocks(const DeviceLogits& logits, absl::Span<const RowInput> rows,
                             absl::Span<RowResult> results, absl::Span<const PlacedRow> placed,
                             size_t rows_per_block);
  void SplitRows(absl::Span<const RowInput> rows, size_t rows_per_block);
  absl::Status RunResidualGroup(const ResidualBatch& batch,
                                absl::Span<const ResidualInput> residuals,
                                absl::Span<ResidualResult> results);
  absl::Status UploadResidualLogits(const ResidualBatch& batch,
                                    absl::Span<const ResidualInput> residuals,
                                    DeviceResiduals* device);
  absl::Status PackResiduals(absl::Span<const ResidualInput> residuals);
  absl::Status ReserveWorkspaceOfBlocks();
  absl::Status ReserveWorkspace(size_t bytes, size_t slots);
  absl::Status UploadLogits(size_t needed, size_t* sent);
  absl::Status LaunchBlock(const RowBlock& block);
  // Passes a status on; after an error, waits until nothing runs any more.
  absl::Status Settled(absl::Status status);

  const Device& device_;
  Stream copies_;
  Stream kernels_;
  Event copied_;
  PinnedBuffer pinned_;
  DeviceBuffer packed_;
  DeviceBuffer logits_memory_;
  DeviceBuffer workspace_;
  DeviceBuffer tickets_;
  bool tickets_zero_ = false;
  bool usable_ = true;
  size_t window_bytes_;

  // Of the batch at hand.
  BatchPacker packer_;
  LogitsUpload upload_;
  LogitsUpload draft_upload_;
  ResidualPacker residual_packer_;
  std::vector<RowInput> side_rows_;       // of residuals: one side's, while it is measured
  std::vector<PlacedRow> placed_drafts_;  // by residual
  DeviceLogits logits_;
  std::vector<RowBlock> blocks_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_SESSION_H_

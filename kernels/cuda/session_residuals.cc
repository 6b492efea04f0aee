// The residuals of a Session: one upload, one group of launches, one copy back.
#include "kernels/cuda/cuda_status.h"
#include "kernels/cuda/session.h"

namespace tessera {
namespace {

// Copies of the rows of one side, in the order of the residuals that have it.
void CopyRows(absl::Span<const ResidualInput> residuals, bool draft, std::vector<RowInput>* rows) {
  rows->clear();
  for (const ResidualInput& residual : residuals) {
    const RowInput* const row = draft ? residual.draft.row : residual.target.row;
    if (row != nullptr) rows->push_back(*row);
  }
}

}  // namespace

absl::Status Session::RunResiduals(const ResidualBatch& batch,
                                   absl::Span<const ResidualInput> residuals,
                                   absl::Span<ResidualResult> results) {
  if (residuals.empty()) return absl::OkStatus();
  return Settled(RunResidualGroup(batch, residuals, results));
}

absl::Status Session::RunResidualGroup(const ResidualBatch& batch,
                                       absl::Span<const ResidualInput> residuals,
                                       absl::Span<ResidualResult> results) {
  DeviceResiduals device;
  device.columns = static_cast<uint32_t>(batch.vocab_size);
  device.residuals = static_cast<uint32_t>(residuals.size());
  if (absl::Status s = UploadResidualLogits(batch, residuals, &device); !s.ok()) return s;
  const LaunchShape shape =
      ChooseResidualShape(device_.traits, device.residuals, device.columns, device_.blocks_per_row);
  if (absl::Status s = ReserveWorkspace(shape.workspace_bytes, shape.row_groups); !s.ok()) return s;
  if (absl::Status s = PackResiduals(residuals); !s.ok()) return s;
  std::byte* const packed = packed_.view().data;
  device.inputs = reinterpret_cast<const ResidualInput*>(packed);
  device.results = reinterpret_cast<ResidualResult*>(packed + residual_packer_.results_offset());
  device.workspace = {workspace_.view().data,
                      static_cast<int64_t>(shape.workspace_bytes / shape.row_groups),
                      shape.row_groups, reinterpret_cast<uint32_t*>(tickets_.view().data)};
  absl::Status status =
      CudaStatus(LaunchResiduals(device, shape, kernels_.view().get()), "launching kernels");
  if (!status.ok()) return status;
  const size_t offset = residual_packer_.results_offset();
  status = CudaStatus(cudaMemcpyAsync(pinned_.view().data() + offset, packed + offset,
                                      residual_packer_.results_bytes(), cudaMemcpyDeviceToHost,
                                      kernels_.view().get()),
                      "copying results from the device");
  if (status.ok()) status = kernels_.view().Synchronize();
  if (status.ok()) residual_packer_.Unpack(pinned_.view().data(), results);
  return status;
}

absl::Status Session::UploadResidualLogits(const ResidualBatch& batch,
                                           absl::Span<const ResidualInput> residuals,
                                           DeviceResiduals* device) {
  Batch side;
  side.vocab_size = batch.vocab_size;
  side.logits = batch.target;
  side.guidance = batch.guidance;
  CopyRows(residuals, false, &side_rows_);
  upload_.Measure(side, side_rows_);
  side.logits = batch.draft;
  CopyRows(residuals, true, &side_rows_);
  draft_upload_.Measure(side, side_rows_);
  const size_t bytes = upload_.bytes() + draft_upload_.bytes();
  if (absl::Status s = logits_memory_.Reserve(bytes); !s.ok()) return s;
  std::byte* const memory = logits_memory_.view().data;
  device->target = {memory, batch.target.dtype, static_cast<int64_t>(upload_.pitch())};
  device->draft = {memory + upload_.bytes(), batch.draft.dtype,
                   static_cast<int64_t>(draft_upload_.pitch())};
  absl::Status status = upload_.Copy(0, upload_.bytes() / upload_.pitch(), memory, kernels_.view());
  if (!status.ok() || draft_upload_.bytes() == 0) return status;
  return draft_upload_.Copy(0, draft_upload_.bytes() / draft_upload_.pitch(),
                            memory + upload_.bytes(), kernels_.view());
}

absl::Status Session::PackResiduals(absl::Span<const ResidualInput> residuals) {
  if (absl::Status s = residual_packer_.Measure(residuals, device_.memory_bytes); !s.ok()) return s;
  if (absl::Status s = pinned_.Reserve(residual_packer_.bytes()); !s.ok()) return s;
  if (absl::Status s = packed_.Reserve(residual_packer_.bytes()); !s.ok()) return s;
  // A residual without a draft row takes no place among the draft's.
  placed_drafts_.assign(residuals.size(), PlacedRow{0, -1});
  size_t next = 0;
  for (size_t i = 0; i < residuals.size(); ++i) {
    if (residuals[i].draft.row != nullptr) placed_drafts_[i] = draft_upload_.device_rows()[next++];
  }
  residual_packer_.Write(upload_.device_rows(), placed_drafts_, packed_.view().data,
                         pinned_.view().data());
  return CudaStatus(
      cudaMemcpyAsync(packed_.view().data, pinned_.view().data(), residual_packer_.bytes(),
                      cudaMemcpyHostToDevice, kernels_.view().get()),
      "copying residuals to the device");
}

}  // namespace tessera

#include "tests/cuda/direct_launch.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "kernels/cuda/memory_sizes.h"
#include "kernels/row/edits.h"
#include "tests/simt/fake_device.h"

namespace tessera::testing {
namespace {

DeviceTraits Traits() {
  const simt::FakeDevice device;
  return {device.sm_major,
          device.sm_minor,
          device.multiprocessors,
          device.shared_per_block_optin,
          device.shared_per_multiprocessor,
          true,
          device.max_cluster};
}

// 256-byte aligned within `memory`, which is made large enough and filled.
std::byte* AlignedIn(std::vector<std::byte>* memory, size_t bytes, std::byte fill) {
  memory->assign(bytes + kWorkspaceAlignment, fill);
  const auto address = reinterpret_cast<uintptr_t>(memory->data());
  return memory->data() + (kWorkspaceAlignment - address % kWorkspaceAlignment);
}

}  // namespace

LaunchShape DirectLaunch::ShapeFor(const Batch& batch) const {
  BatchShape wanted;
  wanted.rows = static_cast<uint32_t>(batch.rows.size());
  wanted.columns = static_cast<uint32_t>(batch.vocab_size);
  wanted.dtype = batch.logits.dtype;
  wanted.any_row_edited = std::any_of(batch.rows.begin(), batch.rows.end(), NeedsCopy);
  const bool cluster = std::string(shape_.kernel) == "cluster";
  LaunchShape shape =
      ChooseShape(Traits(), wanted, cluster ? ForcedKernel::kCluster : ForcedKernel::kFallback,
                  static_cast<uint32_t>(shape_.blocks_per_row));
  if (row_groups_ != 0) shape.row_groups = std::min(row_groups_, wanted.rows);
  const size_t element = wanted.any_row_edited ? 4 : static_cast<size_t>(SizeOf(wanted.dtype));
  const size_t slice = PartColumns(wanted.columns, shape.blocks_per_row) * element;
  shape.shared_bytes = kRowMemoryBytes;
  if (slices_ && cluster) {
    shape.shared_bytes +=
        std::min(slice, simt::FakeDevice{}.shared_per_block_optin - kRowMemoryBytes);
  }
  shape.workspace_bytes = shape.row_groups * WorkspacePerRow(wanted.columns);
  return shape;
}

absl::Status DirectLaunch::Run(const Batch& batch, BatchResult* results) {
  results->Reset(batch);
  if (batch.rows.empty()) return absl::OkStatus();
  launched_ = ShapeFor(batch);
  std::vector<uint32_t> tickets(launched_.row_groups, 0);
  DeviceBatch device;
  device.logits = batch.logits.data;
  device.dtype = batch.logits.dtype;
  device.row_stride_bytes = batch.logits.row_stride_bytes;
  device.guidance = batch.guidance.data;
  device.guidance_stride_bytes = batch.guidance.row_stride_bytes;
  device.columns = static_cast<uint32_t>(batch.vocab_size);
  device.rows = static_cast<uint32_t>(batch.rows.size());
  device.inputs = batch.rows.data();
  device.results = results->rows().data();
  device.workspace.data = AlignedIn(&workspace_, launched_.workspace_bytes, fill_);
  device.workspace.bytes_per_slot =
      static_cast<int64_t>(launched_.workspace_bytes / launched_.row_groups);
  device.workspace.slots = launched_.row_groups;
  device.workspace.tickets = tickets.data();
  cudaStream_t stream = nullptr;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (error == cudaSuccess) error = LaunchRows(device, launched_, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  (void)cudaStreamDestroy(stream);
  if (error != cudaSuccess) {
    return absl::InternalError(
        absl::StrCat(cudaGetErrorString(error), ": ", simt::KernelComplaint()));
  }
  if (std::any_of(tickets.begin(), tickets.end(), [](uint32_t t) { return t != 0; })) {
    return absl::InternalError("a ticket was left taken");
  }
  return absl::OkStatus();
}

}  // namespace tessera::testing

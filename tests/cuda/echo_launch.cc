// LaunchRows and LaunchResiduals where the host side is tested without the real kernels: echoes
// what arrived, and complains when the workspace is not as promised.
#include <cstring>
#include <stdexcept>

#include "kernels/cuda/launch.h"
#include "kernels/residual_input.h"
#include "tests/cuda/echo_residual.h"
#include "tests/cuda/echo_row.h"
#include "tests/simt/stream_hook.h"

namespace tessera {
namespace {

void UseWorkspace(const Workspace& workspace, const LaunchShape& shape) {
  if (reinterpret_cast<uintptr_t>(workspace.data) % 256 != 0 ||
      workspace.bytes_per_slot % 256 != 0 || workspace.slots != shape.row_groups) {
    throw std::runtime_error("the workspace is laid out wrongly");
  }
  for (uint32_t slot = 0; slot < workspace.slots; ++slot) {
    if (workspace.tickets[slot] != 0) throw std::runtime_error("a ticket is not zero");
    if (workspace.bytes_per_slot == 0) continue;
    std::byte* start = workspace.data + slot * workspace.bytes_per_slot;
    start[0] = start[workspace.bytes_per_slot - 1] = std::byte{0x5A};
  }
}

void EchoBatch(const DeviceBatch& batch, const LaunchShape& shape) {
  if (reinterpret_cast<uintptr_t>(batch.logits) % 16 != 0 || batch.row_stride_bytes % 16 != 0) {
    throw std::runtime_error("rows are not aligned to 16 bytes");
  }
  UseWorkspace(batch.workspace, shape);
  for (uint32_t i = 0; i < batch.rows; ++i) {
    const RowInput& input = batch.inputs[i];
    const bool guided = input.plan->uses_guidance;
    const testing::EchoedLogits logits{
        batch.logits + input.logits_row * batch.row_stride_bytes,
        guided ? batch.guidance + input.guidance_row * batch.guidance_stride_bytes : nullptr,
        batch.dtype, batch.columns};
    testing::EchoRow(logits, input, &batch.results[i]);
  }
}

testing::EchoedLogits LogitsOf(const DeviceMatrix& matrix, const RowInput& row, uint32_t columns) {
  const std::byte* const guidance =
      row.plan->uses_guidance ? matrix.data + row.guidance_row * matrix.row_stride_bytes : nullptr;
  return {matrix.data + row.logits_row * matrix.row_stride_bytes, guidance, matrix.dtype, columns};
}

ResidualResult EchoOnDevice(const DeviceResiduals& batch, const ResidualInput& input) {
  testing::EchoedLogits draft{};
  if (input.draft.row != nullptr) draft = LogitsOf(batch.draft, *input.draft.row, batch.columns);
  return testing::EchoResidual(LogitsOf(batch.target, *input.target.row, batch.columns), draft,
                               input);
}

void ExpectAligned(const DeviceMatrix& matrix) {
  if (reinterpret_cast<uintptr_t>(matrix.data) % 16 != 0 || matrix.row_stride_bytes % 16 != 0) {
    throw std::runtime_error("rows of residuals are not aligned to 16 bytes");
  }
}

}  // namespace

cudaError_t LaunchResiduals(const DeviceResiduals& batch, const LaunchShape& shape,
                            cudaStream_t stream) {
  return simt::stream_hook(stream, [batch, shape] {
    ExpectAligned(batch.target);
    ExpectAligned(batch.draft);
    UseWorkspace(batch.workspace, shape);
    for (uint32_t i = 0; i < batch.residuals; ++i) {
      batch.results[i] = EchoOnDevice(batch, batch.inputs[i]);
    }
  });
}

cudaError_t PrepareKernels(DeviceTraits* traits) {
  if (traits->clusters) traits->max_cluster = 8;
  return cudaSuccess;
}

cudaError_t LaunchRows(const DeviceBatch& batch, const LaunchShape& shape, cudaStream_t stream) {
  return simt::stream_hook(stream, [batch, shape] { EchoBatch(batch, shape); });
}

}  // namespace tessera

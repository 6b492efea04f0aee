// LaunchRows where the host side is tested without the real kernels: echoes rows, and complains
// when the workspace is not as promised.
#include <cstring>
#include <stdexcept>

#include "kernels/cuda/launch.h"
#include "kernels/residual_input.h"
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

// What arrived of a residual: its scalars, and where its lists and rows begin.
ResidualResult EchoResidual(const DeviceResiduals& batch, const ResidualInput& input) {
  const auto first_bits = [&](const DeviceMatrix& matrix, const LawOfRow& side) {
    if (side.row == nullptr) return uint32_t{0};
    const std::byte* row = matrix.data + side.row->logits_row * matrix.row_stride_bytes;
    return static_cast<uint32_t>(row[0]) | static_cast<uint32_t>(row[1]) << 8;
  };
  ResidualResult result;
  result.total.hi = input.a ^ input.b << 20 ^ input.excluded.size() << 40;
  for (const WeightedId& entry : input.sparse) result.total.hi += entry.weight;
  for (const TokenId id : input.excluded) result.total.hi += static_cast<uint64_t>(id);
  result.total.lo =
      uint64_t{first_bits(batch.target, input.target)} << 32 | first_bits(batch.draft, input.draft);
  result.token = static_cast<TokenId>(batch.columns);
  return result;
}

}  // namespace

cudaError_t LaunchResiduals(const DeviceResiduals& batch, const LaunchShape& shape,
                            cudaStream_t stream) {
  return simt::stream_hook(stream, [batch, shape] {
    UseWorkspace(batch.workspace, shape);
    for (uint32_t i = 0; i < batch.residuals; ++i) {
      batch.results[i] = EchoResidual(batch, batch.inputs[i]);
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

// The one place with numbers that were tuned: how a batch is spread over a device.
#include <algorithm>

#include "kernels/cuda/launch.h"
#include "kernels/cuda/memory_sizes.h"

namespace tessera {
namespace {

constexpr size_t kReservedShared = 1024;     // by the system, per block
constexpr int kBlocksPerMultiprocessor = 2;  // by registers: 128 of each of 256 threads
constexpr uint32_t kWavesOfFallback = 2;     // blocks per multiprocessor that keep it busy

uint32_t ChunksOf(const BatchShape& batch) { return (batch.columns + kChunkIds - 1) / kChunkIds; }

// Edited rows stand in shared memory as binary32.
size_t SharedOfCluster(const BatchShape& batch, uint32_t blocks) {
  const size_t element = batch.any_row_edited ? sizeof(float) : SizeOf(batch.dtype);
  return kRowMemoryBytes + PartColumns(batch.columns, blocks) * element;
}

// Blocks that a multiprocessor holds at once, by shared memory and registers.
int BlocksTogether(const DeviceTraits& traits, size_t shared) {
  const int by_shared =
      static_cast<int>(traits.shared_per_multiprocessor / (shared + kReservedShared));
  return std::min(by_shared, kBlocksPerMultiprocessor);
}

// Clusters of `blocks` that the device holds at once.
uint32_t ResidentClusters(const DeviceTraits& traits, uint32_t blocks, size_t shared) {
  return static_cast<uint32_t>(BlocksTogether(traits, shared) * traits.multiprocessors) / blocks;
}

LaunchShape ClusterShape(const DeviceTraits& traits, const BatchShape& batch, uint32_t blocks) {
  const auto most_shared = static_cast<size_t>(traits.shared_per_block_optin);
  const size_t shared = std::min(SharedOfCluster(batch, blocks), most_shared);
  const uint32_t resident = std::max(1u, ResidentClusters(traits, blocks, shared));
  LaunchShape shape{LaunchShape::Kind::kCluster, blocks, std::min(batch.rows, resident), shared, 0};
  shape.workspace_bytes = shape.row_groups * WorkspacePerRow(batch.columns);
  return shape;
}

LaunchShape FallbackShape(const DeviceTraits& traits, const BatchShape& batch, uint32_t blocks) {
  const uint32_t busy = kWavesOfFallback * static_cast<uint32_t>(traits.multiprocessors);
  if (blocks == 0) blocks = std::clamp(busy / batch.rows, 1u, ChunksOf(batch));
  LaunchShape shape{LaunchShape::Kind::kFallback, blocks, std::min(batch.rows, busy),
                    kRowMemoryBytes, 0};
  shape.workspace_bytes = shape.row_groups * WorkspacePerRow(batch.columns);
  return shape;
}

}  // namespace

LaunchShape ChooseResidualShape(const DeviceTraits& traits, uint32_t residuals, uint32_t columns,
                                uint32_t blocks_per_row) {
  const uint32_t busy = kWavesOfFallback * static_cast<uint32_t>(traits.multiprocessors);
  const uint32_t chunks = (columns + kChunkIds - 1) / kChunkIds;
  if (blocks_per_row == 0) blocks_per_row = std::clamp(busy / residuals, 1u, chunks);
  LaunchShape shape{LaunchShape::Kind::kFallback, blocks_per_row, std::min(residuals, busy),
                    kResidualMemoryBytes, 0};
  shape.workspace_bytes = shape.row_groups * WorkspacePerResidual(columns);
  return shape;
}

LaunchShape ChooseShape(const DeviceTraits& traits, const BatchShape& batch, ForcedKernel kernel,
                        uint32_t blocks_per_row) {
  if (kernel == ForcedKernel::kFallback || !traits.clusters) {
    return FallbackShape(traits, batch, blocks_per_row);
  }
  if (blocks_per_row != 0) return ClusterShape(traits, batch, blocks_per_row);
  const auto largest = static_cast<uint32_t>(traits.max_cluster);
  // The largest cluster with which every row has one. For more rows than that, the smallest whose
  // blocks share a multiprocessor, so that one row arrives while another is worked on; or else the
  // smallest that holds a row.
  uint32_t holding = 0;
  bool shares = false;
  for (uint32_t blocks = largest; blocks >= 1; blocks /= 2) {
    const size_t shared = SharedOfCluster(batch, blocks);
    if (shared > static_cast<size_t>(traits.shared_per_block_optin)) break;
    const bool still_shares = BlocksTogether(traits, shared) > 1;
    if (shares && !still_shares) break;
    shares = still_shares;
    holding = blocks;
    if (ResidentClusters(traits, blocks, shared) >= batch.rows) break;
  }
  if (holding != 0) return ClusterShape(traits, batch, holding);
  if (kernel == ForcedKernel::kCluster) return ClusterShape(traits, batch, largest);
  return FallbackShape(traits, batch, 0);
}

}  // namespace tessera

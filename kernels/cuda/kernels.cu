// The kernels' launches. Compiled by nvcc, and by g++ for the emulator of the tests.
#include "kernels/cuda/cluster_kernel.cuh"
#include "kernels/cuda/fallback_kernel.cuh"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/residual_kernel.cuh"

namespace tessera {
namespace {

static_assert(sizeof(cuda::RowMemory) <= kRowMemoryBytes && kRowMemoryBytes % 128 == 0);
static_assert(sizeof(cuda::RowFindings) <= kFindingsBytes &&
              kFindingsBytes % kWorkspaceAlignment == 0);
static_assert(cuda::kThreads == kThreadsPerBlock);
static_assert(sizeof(cuda::ResidualMemory) <= kResidualMemoryBytes);

cudaError_t LaunchCluster(const DeviceBatch& batch, const LaunchShape& shape, cudaStream_t stream) {
  simt::LaunchConfig config;
  config.grid = dim3(shape.row_groups * shape.blocks_per_row);
  config.block = dim3(kThreadsPerBlock);
  config.shared_bytes = shape.shared_bytes;
  config.stream = stream;
  config.cluster = shape.blocks_per_row;
  const auto slice_bytes = static_cast<uint32_t>(shape.shared_bytes - kRowMemoryBytes);
  return simt::Launch(config, cuda::ClusterKernel, batch, slice_bytes);
}

cudaError_t LaunchFallback(const DeviceBatch& batch, const LaunchShape& shape,
                           cudaStream_t stream) {
  simt::LaunchConfig config;
  config.block = dim3(kThreadsPerBlock);
  config.stream = stream;
  for (uint32_t first = 0; first < batch.rows; first += shape.row_groups) {
    const uint32_t left = batch.rows - first;
    config.grid = dim3(shape.blocks_per_row, left < shape.row_groups ? left : shape.row_groups);
    config.shared_bytes = 0;
    cudaError_t error = simt::Launch(config, cuda::FallbackMaxKernel, batch, first);
    if (error != cudaSuccess) return error;
    config.shared_bytes = kRowMemoryBytes;
    error = simt::Launch(config, cuda::FallbackFinishKernel, batch, first);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Beyond 8 blocks the size of a cluster is the device's matter: some schedule 16, others do not.
cudaError_t LowerMaxCluster(DeviceTraits* traits) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(traits->max_cluster));
  config.blockDim = dim3(kThreadsPerBlock);
  config.dynamicSmemBytes = kRowMemoryBytes;
  int schedulable = 0;
  const cudaError_t error =
      cudaOccupancyMaxPotentialClusterSize(&schedulable, cuda::ClusterKernel, &config);
  if (error != cudaSuccess) return error;
  while (traits->max_cluster > 1 && traits->max_cluster > schedulable) traits->max_cluster /= 2;
  return cudaSuccess;
}

}  // namespace

cudaError_t PrepareKernels(DeviceTraits* traits) {
  const int fallback_bytes = static_cast<int>(kRowMemoryBytes);
  cudaError_t error = cudaFuncSetAttribute(
      cuda::FallbackFinishKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, fallback_bytes);
  if (error != cudaSuccess || !traits->clusters) return error;
  error = cudaFuncSetAttribute(cuda::ClusterKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               traits->shared_per_block_optin);
  if (error != cudaSuccess) return error;
  error =
      cudaFuncSetAttribute(cuda::ClusterKernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  return error != cudaSuccess ? error : LowerMaxCluster(traits);
}

cudaError_t LaunchResiduals(const DeviceResiduals& batch, const LaunchShape& shape,
                            cudaStream_t stream) {
  simt::LaunchConfig config;
  config.block = dim3(kThreadsPerBlock);
  config.stream = stream;
  for (uint32_t first = 0; first < batch.residuals; first += shape.row_groups) {
    const uint32_t left = batch.residuals - first;
    config.grid = dim3(shape.blocks_per_row, left < shape.row_groups ? left : shape.row_groups);
    config.shared_bytes = 0;
    cudaError_t error = simt::Launch(config, cuda::ResidualEditKernel, batch, first);
    if (error != cudaSuccess) return error;
    config.shared_bytes = shape.shared_bytes;
    error = simt::Launch(config, cuda::ResidualKernel, batch, first);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t LaunchRows(const DeviceBatch& batch, const LaunchShape& shape, cudaStream_t stream) {
  return shape.kind == LaunchShape::Kind::kCluster ? LaunchCluster(batch, shape, stream)
                                                   : LaunchFallback(batch, shape, stream);
}

}  // namespace tessera

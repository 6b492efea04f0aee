// How a batch is spread over a device, and the launch itself.
#ifndef TESSERA_KERNELS_CUDA_LAUNCH_H_
#define TESSERA_KERNELS_CUDA_LAUNCH_H_

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/cuda_api.h"
#include "kernels/cuda/device_batch.h"
#include "kernels/cuda/device_residuals.h"

namespace tessera {

// What the shape of a launch depends on.
struct DeviceTraits {
  int sm_major = 0;
  int sm_minor = 0;
  int multiprocessors = 0;
  int shared_per_block_optin = 0;     // bytes
  int shared_per_multiprocessor = 0;  // bytes
  bool clusters = false;              // blocks of a cluster reach each other's shared memory
  int max_cluster = 1;                // blocks of the largest cluster that the device schedules
};

struct BatchShape {
  uint32_t rows = 0;
  uint32_t columns = 0;
  DType dtype = DType::kFloat32;
  bool any_row_edited = false;  // some row's masks or edits apply: it is sampled as binary32
};

struct LaunchShape {
  enum class Kind : uint8_t { kCluster, kFallback };
  Kind kind = Kind::kFallback;
  uint32_t blocks_per_row = 1;
  uint32_t row_groups = 1;     // rows in flight: clusters of a persistent grid, or rows of a launch
  size_t shared_bytes = 0;     // dynamic, per block
  size_t workspace_bytes = 0;  // of all row groups together; each has a multiple of 256
};

enum class ForcedKernel : uint8_t { kAuto, kCluster, kFallback };

inline constexpr uint32_t kThreadsPerBlock = 256;

// Arithmetic only. REQUIRES: rows and columns at least 1; a forced kernel or blocks_per_row (0:
// chosen here) that CheckForced accepts for the device.
LaunchShape ChooseShape(const DeviceTraits& traits, const BatchShape& batch, ForcedKernel kernel,
                        uint32_t blocks_per_row);

// Once per device, before the first launch: raises the kernels' limits of shared memory and lowers
// traits->max_cluster to what the device schedules.
cudaError_t PrepareKernels(DeviceTraits* traits);

// Puts the kernels for all rows of `batch` into `stream`. Allocates and waits for nothing, so a
// CUDA graph can capture it. The result is that of the launch, not of the kernels.
cudaError_t LaunchRows(const DeviceBatch& batch, const LaunchShape& shape, cudaStream_t stream);

// Residuals have one shape of launch: blocks_per_row blocks each, row_groups of them in flight.
LaunchShape ChooseResidualShape(const DeviceTraits& traits, uint32_t residuals, uint32_t columns,
                                uint32_t blocks_per_row);

// As LaunchRows.
cudaError_t LaunchResiduals(const DeviceResiduals& batch, const LaunchShape& shape,
                            cudaStream_t stream);

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_LAUNCH_H_

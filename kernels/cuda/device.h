// The device that a backend runs on, and what its user forced.
#ifndef TESSERA_KERNELS_CUDA_DEVICE_H_
#define TESSERA_KERNELS_CUDA_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/cuda/cuda_backend.h"
#include "kernels/cuda/launch.h"

namespace tessera {

struct Device {
  int ordinal = 0;   // as CUDA numbers them
  std::string name;  // "NVIDIA H200"
  DeviceTraits traits;
  size_t memory_bytes = 0;
  ForcedKernel kernel = ForcedKernel::kAuto;
  uint32_t blocks_per_row = 0;  // 0: chosen per batch

  // "cuda/NVIDIA H200 sm_90 cluster": the kernel that runs rows of usual width.
  std::string Description() const;
};

// Finds the device, makes it current for this thread and makes its kernels ready. Errors as
// MakeCudaBackend's.
absl::StatusOr<Device> OpenDevice(const CudaOptions& options);

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_DEVICE_H_

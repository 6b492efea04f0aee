// Runs batches on a CUDA device.
#ifndef TESSERA_KERNELS_CUDA_CUDA_BACKEND_H_
#define TESSERA_KERNELS_CUDA_CUDA_BACKEND_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/backend.h"

namespace tessera {

struct CudaOptions {
  int device = 0;          // as CUDA numbers them
  std::string kernel;      // "auto" or empty, "cluster", "fallback"
  int blocks_per_row = 0;  // 0: chosen per batch
};

// Unavailable where there is no driver or no device, Unimplemented in a build without CUDA,
// InvalidArgument where the options do not fit the device; the message says what would.
absl::StatusOr<std::unique_ptr<Backend>> MakeCudaBackend(const CudaOptions& options);

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_CUDA_BACKEND_H_

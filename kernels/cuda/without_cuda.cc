// Stands in for the CUDA backend in a build that has none, so that whoever chooses a backend is the
// same code in both.
#include "absl/status/status.h"
#include "kernels/cuda/cuda_backend.h"

namespace tessera {

absl::StatusOr<std::unique_ptr<Backend>> MakeCudaBackend(const CudaOptions&) {
  return absl::UnimplementedError("built without CUDA");
}

}  // namespace tessera

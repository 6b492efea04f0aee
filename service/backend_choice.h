// Picks what computes, and can say why.
#ifndef TESSERA_SERVICE_BACKEND_CHOICE_H_
#define TESSERA_SERVICE_BACKEND_CHOICE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/backend.h"
#include "kernels/cuda/cuda_backend.h"
#include "service/options.h"

namespace tessera {

struct BackendChoice {
  std::unique_ptr<Backend> backend;
  std::string reason;       // for people
  std::string simd_target;  // empty where there is none
  int threads = 1;          // of the CPU that sample
};

// Makes the cuda backend; replaced by tests.
using CudaFactory = absl::StatusOr<std::unique_ptr<Backend>> (*)(const CudaOptions&);

// The error names the flag whose backend, device, kernel or SIMD target is not to be had here, and
// says what is. For `auto`, a device that cannot be used is no error: the choice's reason tells it.
absl::StatusOr<BackendChoice> ChooseBackend(const Options& options,
                                            CudaFactory make_cuda = MakeCudaBackend);

}  // namespace tessera

#endif  // TESSERA_SERVICE_BACKEND_CHOICE_H_

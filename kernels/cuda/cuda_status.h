// Every CUDA error becomes a Status in the next line.
#ifndef TESSERA_KERNELS_CUDA_CUDA_STATUS_H_
#define TESSERA_KERNELS_CUDA_CUDA_STATUS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "kernels/cuda/cuda_api.h"

namespace tessera {

// OK for cudaSuccess. Otherwise the message holds `call`, the error's name and its text:
// ResourceExhausted when memory is short, Unavailable when there is no device or it is lost,
// Internal for everything else.
absl::Status CudaStatus(cudaError_t error, absl::string_view call);

// After some errors CUDA lets a process do nothing more with the device. True of the Status that
// was made of one; copies of it say so too.
bool SaysDeviceLost(const absl::Status& status);

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_CUDA_STATUS_H_

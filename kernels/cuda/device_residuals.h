// What the residual kernels are told: every pointer is a device address. Passed by value.
#ifndef TESSERA_KERNELS_CUDA_DEVICE_RESIDUALS_H_
#define TESSERA_KERNELS_CUDA_DEVICE_RESIDUALS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/device_batch.h"
#include "kernels/types.h"

namespace tessera {

struct ResidualInput;
struct ResidualResult;

// Rows of logits on the device; aligned to their dtype, faster at multiples of 16 bytes.
struct DeviceMatrix {
  const std::byte* data = nullptr;
  DType dtype = DType::kFloat32;
  int64_t row_stride_bytes = 0;
};

struct DeviceResiduals {
  DeviceMatrix target;   // what logits_row and guidance_row of target rows count in
  DeviceMatrix draft;    // what logits_row of draft rows counts in
  uint32_t columns = 0;  // the vocabulary
  uint32_t residuals = 0;
  const ResidualInput* inputs = nullptr;  // [residuals]
  ResidualResult* results = nullptr;      // [residuals]
  Workspace workspace;                    // a slot for each residual in flight
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_DEVICE_RESIDUALS_H_

// What a kernel is told: a batch whose every pointer is a device address. Passed by value.
#ifndef TESSERA_KERNELS_CUDA_DEVICE_BATCH_H_
#define TESSERA_KERNELS_CUDA_DEVICE_BATCH_H_

#include <cstddef>
#include <cstdint>

#include "kernels/types.h"

namespace tessera {

struct RowInput;
struct RowResult;

// Device memory that the rows in flight share. Launches that use one workspace stand in one stream.
struct Workspace {
  std::byte* data = nullptr;    // 256-byte aligned; holds anything
  int64_t bytes_per_slot = 0;   // a multiple of 256
  uint32_t slots = 0;           // one for each row in flight
  uint32_t* tickets = nullptr;  // [slots], zero before and after every launch
};

struct DeviceBatch {
  const std::byte* logits = nullptr;  // aligned to its dtype; rows at 16 bytes come by bulk copies
  DType dtype = DType::kFloat32;
  int64_t row_stride_bytes = 0;
  const std::byte* guidance = nullptr;  // what guidance_row counts in, in the same dtype; or none
  int64_t guidance_stride_bytes = 0;
  uint32_t columns = 0;  // the vocabulary; what stands behind it in a row is not looked at
  uint32_t rows = 0;
  const RowInput* inputs = nullptr;  // [rows]; logits_row counts from `logits`
  RowResult* results = nullptr;      // [rows]; sized for the inputs
  Workspace workspace;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_DEVICE_BATCH_H_

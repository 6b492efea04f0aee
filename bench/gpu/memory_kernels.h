// Kernels that only read memory or do nothing: what sampling on a device is measured against.
#ifndef TESSERA_BENCH_GPU_MEMORY_KERNELS_H_
#define TESSERA_BENCH_GPU_MEMORY_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/cuda_api.h"

namespace tessera::bench {

// Reads `bytes` (a multiple of 16) from `data` (16-byte aligned). `sink` is a device address that
// is written only to keep the loads from being left out.
cudaError_t LaunchRead(const void* data, size_t bytes, uint32_t* sink, uint32_t blocks,
                       cudaStream_t stream);

cudaError_t LaunchNothing(cudaStream_t stream);

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_GPU_MEMORY_KERNELS_H_

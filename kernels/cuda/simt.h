// One kernel source, two executions: under nvcc the device, under g++ and clang++ the emulator of
// the tests. A kernel header includes this and nothing of the CUDA toolkit.
#ifndef TESSERA_KERNELS_CUDA_SIMT_H_
#define TESSERA_KERNELS_CUDA_SIMT_H_

#ifdef __CUDACC__
#include "kernels/cuda/simt_cuda.h"
#else
#include "tests/simt/emulator.h"
#endif

#endif  // TESSERA_KERNELS_CUDA_SIMT_H_

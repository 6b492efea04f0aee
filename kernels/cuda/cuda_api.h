// CUDA's runtime API, or what plays it where there is no toolkit. Host code includes only this.
#ifndef TESSERA_KERNELS_CUDA_CUDA_API_H_
#define TESSERA_KERNELS_CUDA_CUDA_API_H_

#ifdef TESSERA_SIMT_EMULATED
#include "tests/simt/fake_cuda.h"
#else
#include <cuda_runtime_api.h>
#endif

#endif  // TESSERA_KERNELS_CUDA_CUDA_API_H_

// Runs something else in a kernel's place: its PTX (ptx/ptx_substitute.h).
#ifndef TESSERA_TESTS_SIMT_KERNEL_HOOK_H_
#define TESSERA_TESTS_SIMT_KERNEL_HOOK_H_

#include <cstddef>

#include "tests/simt/cuda_types.h"

namespace simt {

struct LaunchConfig;

namespace emulator {

// One argument of a launch, as its bytes.
struct ArgumentBytes {
  const void* address;
  size_t bytes;
};

// Asked at every launch: either launches and returns true, with CUDA's answer in *result, or
// returns false. `kernel` is the address of the kernel's function.
using KernelHook = bool (*)(const void* kernel, const LaunchConfig& config,
                            const ArgumentBytes* arguments, size_t count, cudaError_t* result);

inline KernelHook kernel_hook = nullptr;

}  // namespace emulator
}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_KERNEL_HOOK_H_

// Where a kernel launch goes that names a stream: to whoever plays the runtime (fake_cuda.h), which
// runs it in that stream's order. Without one, a launch runs at once.
#ifndef TESSERA_TESTS_SIMT_STREAM_HOOK_H_
#define TESSERA_TESTS_SIMT_STREAM_HOOK_H_

#include <functional>

#include "tests/simt/cuda_types.h"

namespace simt {

// Takes a whole launch: `run` executes the grid and throws what the emulator diagnoses.
using StreamHook = cudaError_t (*)(cudaStream_t stream, std::function<void()> run);

inline StreamHook stream_hook = nullptr;

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_STREAM_HOOK_H_

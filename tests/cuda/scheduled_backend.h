// The CUDA backend on the emulator, each batch under another schedule.
#ifndef TESSERA_TESTS_CUDA_SCHEDULED_BACKEND_H_
#define TESSERA_TESTS_CUDA_SCHEDULED_BACKEND_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/backend.h"
#include "kernels/cuda/cuda_backend.h"

namespace tessera::testing {

// Batches run under the emulator's seeds from `seed` on, one after the other. Where a kernel fails,
// the status says what the emulator has to say of it. The emulator and its options are of the
// process, so batches of all these backends wait for each other.
absl::StatusOr<std::unique_ptr<Backend>> MakeScheduledBackend(const CudaOptions& options,
                                                              uint64_t seed);

// name() of the backend for these options, on the device that the emulator plays by default.
std::string EmulatedName(const CudaOptions& options);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_CUDA_SCHEDULED_BACKEND_H_

// Which kernels and sizes the device of this machine offers, for tests that need one.
#ifndef TESSERA_TESTS_CUDA_GPU_SHAPES_H_
#define TESSERA_TESTS_CUDA_GPU_SHAPES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend.h"
#include "kernels/cuda/cuda_backend.h"

namespace tessera::testing {

// Why tests of a device cannot run here; empty where they can.
const std::string& NoDeviceReason();

// True where a machine without a device is a failure: TESSERA_GPU_REQUIRED is set.
bool DeviceIsRequired();

// The kernel that would be chosen, every size of a cluster that the device has, and the fallback
// with one, few and many blocks a row. REQUIRES: a device.
std::vector<CudaOptions> GpuShapes();

std::string NameOf(const CudaOptions& options);

// A backend for each of GpuShapes. Stops the program when one cannot be made.
std::vector<std::unique_ptr<Backend>> GpuBackends();

// An environment variable that is a number; `otherwise` where it is not set.
int64_t FromEnvironment(const char* name, int64_t otherwise);

}  // namespace tessera::testing

// First in SetUp: what to do where there is no device.
#define TESSERA_NEEDS_DEVICE()                                                \
  if (const std::string& reason = NoDeviceReason(); !reason.empty()) {        \
    if (DeviceIsRequired()) FAIL() << "TESSERA_GPU_REQUIRED, but " << reason; \
    GTEST_SKIP() << "no CUDA device: " << reason;                             \
  }                                                                           \
  static_assert(true, "")

#endif  // TESSERA_TESTS_CUDA_GPU_SHAPES_H_

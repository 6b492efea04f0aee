// The played CUDA runtime: devices, limits, error texts.
#include <algorithm>
#include <cstdio>

#include "tests/simt/fake_state.h"

namespace {

using simt::Call;
using simt::FakeState;

constexpr int kThreadsPerMultiprocessor = 2048;
constexpr int kBlocksPerMultiprocessor = 32;
constexpr int kReservedShared = 1024;  // bytes, per block

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

constexpr ErrorText kErrorTexts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
};

const ErrorText& TextOf(cudaError_t error) {
  static constexpr ErrorText kOther = {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"};
  const auto* found = std::find_if(std::begin(kErrorTexts), std::end(kErrorTexts),
                                   [&](const ErrorText& text) { return text.error == error; });
  return found == std::end(kErrorTexts) ? kOther : *found;
}

cudaError_t CheckDevice(const FakeState& state, int device) {
  if (state.device.devices == 0) return cudaErrorNoDevice;
  return device >= 0 && device < state.device.devices ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t ReadAttribute(const simt::FakeDevice& device, cudaDeviceAttr attribute, int* value) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      return cudaSuccess;
    case cudaDevAttrMaxPitch:
      *value = 0x7FFFFFFF;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = device.multiprocessors;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = device.sm_major;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = device.sm_minor;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = device.shared_per_multiprocessor;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = device.shared_per_block_optin;
      return cudaSuccess;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      *value = kReservedShared;
      return cudaSuccess;
    case cudaDevAttrClusterLaunch:
      *value = device.sm_major >= 9 ? 1 : 0;
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

int BlocksPerMultiprocessor(const simt::FakeDevice& device, int threads, size_t shared_bytes) {
  const auto shared = static_cast<int64_t>(shared_bytes);
  if (threads < 1 || threads > 1024 || shared > device.shared_per_block_optin) return 0;
  const int by_threads = std::min(kThreadsPerMultiprocessor / threads, kBlocksPerMultiprocessor);
  const auto by_shared =
      static_cast<int>(device.shared_per_multiprocessor / (shared + kReservedShared));
  return std::min(by_threads, by_shared);
}

int Threads(const cudaLaunchConfig_t& config) {
  return static_cast<int>(config.blockDim.x * config.blockDim.y * config.blockDim.z);
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) { return TextOf(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return TextOf(error).text; }

cudaError_t cudaGetDeviceCount(int* count) {
  return Call("cudaGetDeviceCount", [&](FakeState& state) {
    *count = state.device.devices;
    return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return Call("cudaSetDevice", [&](FakeState& state) { return CheckDevice(state, device); });
}

cudaError_t cudaGetDevice(int* device) {
  return Call("cudaGetDevice", [&](FakeState& state) {
    *device = 0;
    return CheckDevice(state, 0);
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return Call("cudaGetDeviceProperties", [&](FakeState& state) {
    const simt::FakeDevice& fake = state.device;
    *properties = {};
    std::snprintf(properties->name, sizeof(properties->name), "%s", fake.name.c_str());
    properties->totalGlobalMem = fake.memory_bytes;
    properties->major = fake.sm_major;
    properties->minor = fake.sm_minor;
    properties->multiProcessorCount = fake.multiprocessors;
    return CheckDevice(state, device);
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return Call("cudaDeviceGetAttribute", [&](FakeState& state) {
    const cudaError_t error = CheckDevice(state, device);
    return error != cudaSuccess ? error : ReadAttribute(state.device, attribute, value);
  });
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  return Call("cudaFuncSetAttribute", [&](FakeState& state) {
    if (kernel == nullptr) return cudaErrorInvalidValue;
    const bool fits = attribute != cudaFuncAttributeMaxDynamicSharedMemorySize ||
                      value <= state.device.shared_per_block_optin;
    return fits ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* /*kernel*/,
                                                          int threads, size_t shared_bytes) {
  return Call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&](FakeState& state) {
    *blocks = BlocksPerMultiprocessor(state.device, threads, shared_bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* /*kernel*/,
                                                 const cudaLaunchConfig_t* config) {
  return Call("cudaOccupancyMaxPotentialClusterSize", [&](FakeState& state) {
    const simt::FakeDevice& device = state.device;
    if (device.sm_major < 9) return cudaErrorNotSupported;
    const int resident =
        BlocksPerMultiprocessor(device, Threads(*config), config->dynamicSmemBytes) *
        device.multiprocessors;
    *blocks = std::min(device.max_cluster, resident);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* /*kernel*/,
                                           const cudaLaunchConfig_t* config) {
  return Call("cudaOccupancyMaxActiveClusters", [&](FakeState& state) {
    const simt::FakeDevice& device = state.device;
    if (device.sm_major < 9) return cudaErrorNotSupported;
    unsigned blocks = 1;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
        blocks = config->attrs[i].val.clusterDim.x;
      }
    }
    if (blocks < 1 || static_cast<int>(blocks) > device.max_cluster) return cudaErrorInvalidValue;
    *clusters = BlocksPerMultiprocessor(device, Threads(*config), config->dynamicSmemBytes) *
                device.multiprocessors / static_cast<int>(blocks);
    return cudaSuccess;
  });
}

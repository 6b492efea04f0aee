#include "kernels/cuda/device.h"

#include <bit>

#include "absl/strings/str_cat.h"
#include "kernels/cuda/cuda_status.h"

namespace tessera {
namespace {

constexpr int kMostBlocksOfFallback = 1024;

absl::StatusOr<ForcedKernel> KernelNamed(const std::string& name) {
  if (name.empty() || name == "auto") return ForcedKernel::kAuto;
  if (name == "cluster") return ForcedKernel::kCluster;
  if (name == "fallback") return ForcedKernel::kFallback;
  return absl::InvalidArgumentError(
      absl::StrCat("kernel is \"", name, "\"; it must be auto, cluster or fallback"));
}

absl::Status CheckOrdinal(int ordinal) {
  int count = 0;
  absl::Status counted = CudaStatus(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (!counted.ok()) return counted;
  if (ordinal >= 0 && ordinal < count) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("device is ", ordinal, "; it must be in [0, ", count - 1, "] on this machine"));
}

absl::Status ReadTraits(int ordinal, DeviceTraits* traits) {
  int clusters = 0;
  const struct {
    cudaDeviceAttr attribute;
    int* value;
  } wanted[] = {
      {cudaDevAttrComputeCapabilityMajor, &traits->sm_major},
      {cudaDevAttrComputeCapabilityMinor, &traits->sm_minor},
      {cudaDevAttrMultiProcessorCount, &traits->multiprocessors},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, &traits->shared_per_block_optin},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &traits->shared_per_multiprocessor},
      {cudaDevAttrClusterLaunch, &clusters},
  };
  for (const auto& [attribute, value] : wanted) {
    absl::Status read =
        CudaStatus(cudaDeviceGetAttribute(value, attribute, ordinal), "cudaDeviceGetAttribute");
    if (!read.ok()) return read;
  }
  traits->clusters = clusters != 0;
  traits->max_cluster = traits->clusters ? 16 : 1;
  return CudaStatus(PrepareKernels(traits), "preparing the kernels");
}

absl::Status ReadNameAndMemory(Device* device) {
  cudaDeviceProp properties{};
  absl::Status named =
      CudaStatus(cudaGetDeviceProperties(&properties, device->ordinal), "cudaGetDeviceProperties");
  if (!named.ok()) return named;
  device->name = properties.name;
  device->memory_bytes = properties.totalGlobalMem;
  return absl::OkStatus();
}

// What the user forced against what the device has.
absl::Status CheckForced(const Device& device, int blocks_per_row) {
  const bool clusters = device.traits.clusters;
  if (device.kernel == ForcedKernel::kCluster && !clusters) {
    return absl::InvalidArgumentError(
        absl::StrCat("kernel is \"cluster\", which needs sm_90 or newer; ", device.name, " is sm_",
                     device.traits.sm_major, device.traits.sm_minor, ": use auto or fallback"));
  }
  const bool fallback = device.kernel == ForcedKernel::kFallback || !clusters;
  const int most = fallback ? kMostBlocksOfFallback : device.traits.max_cluster;
  const bool whole = fallback || std::has_single_bit(static_cast<unsigned>(blocks_per_row));
  if (blocks_per_row == 0 || (blocks_per_row > 0 && blocks_per_row <= most && whole)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("blocks_per_row is ", blocks_per_row, "; it must be 0 (chosen) or ",
                   fallback ? "in [1, " : "a power of two in [1, ", most, "]"));
}

}  // namespace

std::string Device::Description() const {
  const bool fallback = kernel == ForcedKernel::kFallback || !traits.clusters;
  std::string text = absl::StrCat("cuda/", name, " sm_", traits.sm_major, traits.sm_minor,
                                  fallback ? " fallback" : " cluster");
  if (blocks_per_row != 0) absl::StrAppend(&text, " x", blocks_per_row);
  return text;
}

absl::StatusOr<Device> OpenDevice(const CudaOptions& options) {
  Device device;
  device.ordinal = options.device;
  const absl::StatusOr<ForcedKernel> kernel = KernelNamed(options.kernel);
  if (!kernel.ok()) return kernel.status();
  device.kernel = *kernel;
  if (absl::Status s = CheckOrdinal(options.device); !s.ok()) return s;
  if (absl::Status s = CudaStatus(cudaSetDevice(options.device), "cudaSetDevice"); !s.ok()) {
    return s;
  }
  if (absl::Status s = ReadNameAndMemory(&device); !s.ok()) return s;
  if (absl::Status s = ReadTraits(options.device, &device.traits); !s.ok()) return s;
  if (absl::Status s = CheckForced(device, options.blocks_per_row); !s.ok()) return s;
  device.blocks_per_row = static_cast<uint32_t>(options.blocks_per_row);
  return device;
}

}  // namespace tessera

#include "tests/cuda/gpu_shapes.h"

#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "kernels/cuda/device.h"

namespace tessera::testing {

const std::string& NoDeviceReason() {
  static const auto& reason = *new std::string([] {
    const absl::StatusOr<Device> device = OpenDevice({});
    return device.ok() ? std::string() : device.status().ToString();
  }());
  return reason;
}

bool DeviceIsRequired() { return std::getenv("TESSERA_GPU_REQUIRED") != nullptr; }

std::vector<CudaOptions> GpuShapes() {
  const absl::StatusOr<Device> device = OpenDevice({});
  if (!device.ok()) return {};
  std::vector<CudaOptions> shapes = {{}};
  if (device->traits.clusters) {
    for (int blocks = 1; blocks <= device->traits.max_cluster; blocks *= 2) {
      shapes.push_back({0, "cluster", blocks});
    }
  }
  for (const int blocks : {1, 3, 16}) shapes.push_back({0, "fallback", blocks});
  return shapes;
}

std::string NameOf(const CudaOptions& options) {
  return absl::StrCat(options.kernel.empty() ? "auto" : options.kernel, " x",
                      options.blocks_per_row);
}

std::vector<std::unique_ptr<Backend>> GpuBackends() {
  std::vector<std::unique_ptr<Backend>> backends;
  for (const CudaOptions& options : GpuShapes()) {
    absl::StatusOr<std::unique_ptr<Backend>> backend = MakeCudaBackend(options);
    if (!backend.ok()) {
      std::fprintf(stderr, "%s: %s\n", NameOf(options).c_str(),
                   backend.status().ToString().c_str());
      std::abort();
    }
    backends.push_back(*std::move(backend));
  }
  return backends;
}

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoll(value);
}

}  // namespace tessera::testing

// Launches of emulated kernels.
#ifndef TESSERA_TESTS_SIMT_LAUNCH_H_
#define TESSERA_TESTS_SIMT_LAUNCH_H_

#include <array>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tests/simt/cuda_types.h"
#include "tests/simt/kernel_hook.h"
#include "tests/simt/options.h"

namespace simt {

struct LaunchConfig {
  dim3 grid{1};
  dim3 block{1};
  size_t shared_bytes = 0;  // dynamic, at most 227 KiB
  cudaStream_t stream = nullptr;
  unsigned cluster = 1;  // blocks of a cluster, along x, at most 16
};

namespace emulator {

// What CUDA would answer to this configuration.
cudaError_t CheckConfig(const LaunchConfig& config);

// Runs a grid to its end, every thread calling body(argument). Throws Error for a defect.
// `argument` is kept alive when threads of a failed launch still refer to it.
cudaError_t Run(const LaunchConfig& config, void (*body)(void*), std::shared_ptr<void> argument);

// Run, when the stream (stream_hook.h) comes to it.
cudaError_t RunInStream(const LaunchConfig& config, void (*body)(void*),
                        std::shared_ptr<void> argument);

}  // namespace emulator

template <typename... P, typename... A>
cudaError_t Launch(const LaunchConfig& config, void (*kernel)(P...), A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "wrong number of kernel arguments");
  struct Call {
    void (*kernel)(P...);
    std::tuple<std::decay_t<P>...> arguments;
  };
  auto body = [](void* argument) {
    Call& call = *static_cast<Call*>(argument);
    std::apply(call.kernel, call.arguments);
  };
  const auto call =
      std::make_shared<Call>(Call{kernel, {static_cast<P>(std::forward<A>(arguments))...}});
  if (emulator::kernel_hook != nullptr) {
    const auto bytes = std::apply(
        [](const auto&... each) {
          return std::array<emulator::ArgumentBytes, sizeof...(P)>{{{&each, sizeof each}...}};
        },
        call->arguments);
    cudaError_t result = cudaSuccess;
    if (emulator::kernel_hook(reinterpret_cast<const void*>(kernel), config, bytes.data(),
                              bytes.size(), &result)) {
      return result;
    }
  }
  return emulator::RunInStream(config, body, call);
}

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_LAUNCH_H_

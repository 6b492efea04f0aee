// Launches in tests: shapes, schedules and what the emulator reports.
#ifndef TESSERA_TESTS_SIMT_RUN_KERNEL_H_
#define TESSERA_TESTS_SIMT_RUN_KERNEL_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "kernels/cuda/simt.h"

namespace simt_test {

inline simt::LaunchConfig Shape(unsigned blocks, unsigned threads, size_t shared_bytes = 0,
                                unsigned cluster = 1) {
  simt::LaunchConfig config;
  config.grid = dim3(blocks);
  config.block = dim3(threads);
  config.shared_bytes = shared_bytes;
  config.cluster = cluster;
  return config;
}

// What the emulator reports of a launch; empty when it ran to its end.
template <typename... P, typename... A>
std::string Report(const simt::LaunchConfig& config, void (*kernel)(P...), A&&... arguments) {
  try {
    const cudaError_t error = simt::Launch(config, kernel, std::forward<A>(arguments)...);
    return error == cudaSuccess ? "" : "refused with error " + std::to_string(error);
  } catch (const simt::Error& error) {
    return error.what();
  }
}

inline constexpr uint64_t kSeeds = 16;  // in order, in reverse, and seven of each random kind

// A test that is run for every schedule.
class Schedules : public testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override {
    simt::emulator::Options() = {};
    simt::emulator::Options().seed = GetParam();
    simt::emulator::Options().preempt = GetParam() % 4 == 3 ? 20 : 0;
  }
  void TearDown() override { simt::emulator::Options() = {}; }
};

}  // namespace simt_test

// In this way each seed's failure names its seed.
#define SIMT_SCHEDULES(Suite) \
  INSTANTIATE_TEST_SUITE_P(Seeds, Suite, testing::Range<uint64_t>(0, simt_test::kSeeds))

#endif  // TESSERA_TESTS_SIMT_RUN_KERNEL_H_

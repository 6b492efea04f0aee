// nvcc's PTX of the residual kernels, executed in their place, against the oracle: over formats,
// blocks a residual and schedules. The laws come from the kernels as the emulator compiles them.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

#include "kernels/cuda/device_residuals.h"
#include "tests/cuda/emulated_executors.h"
#include "tests/cuda/scheduled_backend.h"
#include "tests/simt/options.h"
#include "tests/simt/ptx/ptx_substitute.h"
#include "tests/support/random_residuals.h"

#ifndef TESSERA_PTX_DIR
#define TESSERA_PTX_DIR ""
#endif

namespace tessera::cuda {
// Of kernels.cu.
void ResidualEditKernel(DeviceResiduals batch, uint32_t first);
void ResidualKernel(DeviceResiduals batch, uint32_t first);
}  // namespace tessera::cuda

namespace tessera::testing {
namespace {

class ResidualsPtx : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
#ifdef TESSERA_NO_PTX
    GTEST_SKIP() << "no PTX was built: " << TESSERA_NO_PTX;
#endif
    const simt::ptx::Module module =
        simt::ptx::ParseFile(TESSERA_PTX_DIR "/kernels_ptx_" + std::to_string(GetParam()) + ".ptx");
    substitution_.Add(&cuda::ResidualEditKernel, module.Find("ResidualEditKernel"));
    substitution_.Add(&cuda::ResidualKernel, module.Find("ResidualKernel"));
  }
  void TearDown() override { simt::emulator::Options() = simt::emulator::RunOptions{}; }

  simt::ptx::Substitution substitution_;
};

INSTANTIATE_TEST_SUITE_P(Compute, ResidualsPtx, ::testing::Values(80, 90, 100, 120));

TEST_P(ResidualsPtx, EqualTheOracle) {
  size_t judged = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const auto blocks = static_cast<int>(1 + random.Below(4));
    const EmulatedShape shape{"fallback", blocks, 1};
    const auto backend = MakeScheduledBackend(shape.Options(), seed);
    ASSERT_TRUE(backend.ok()) << backend.status();
    const int64_t width = 1 + random.Below(seed == 12 ? 40000 : 3000);
    const RandomResiduals residuals(random, width, 8);
    const uint64_t launches = substitution_.launches();
    ASSERT_EQ(residuals.Judge(**backend), "") << "seed " << seed << ", width " << width;
    EXPECT_GE(substitution_.launches(), launches + 2);
    judged += residuals.size();
  }
  std::printf("compute_%d: %zu residuals\n", GetParam(), judged);
}

}  // namespace
}  // namespace tessera::testing

// The backend asks the device how large a cluster it schedules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cuda/cuda_backend.h"
#include "tests/simt/fake_device.h"

namespace tessera::testing {
namespace {

using ::testing::HasSubstr;

TEST(LargestCluster, IsWhatTheDeviceSchedules) {
  for (const int largest : {16, 8, 1}) {
    simt::ResetFakeDevice({.max_cluster = largest});
    const std::string most = std::to_string(largest);
    const auto fits = MakeCudaBackend({.kernel = "cluster", .blocks_per_row = largest});
    EXPECT_TRUE(fits.ok()) << fits.status();
    const auto refused = MakeCudaBackend({.kernel = "cluster", .blocks_per_row = 2 * largest});
    EXPECT_THAT(std::string(refused.status().message()),
                HasSubstr("a power of two in [1, " + most + "]"));
  }
  simt::ResetFakeDevice({});
}

}  // namespace
}  // namespace tessera::testing

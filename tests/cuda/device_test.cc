// Which device and which kernel a backend runs on, and what it says when that cannot be.
#include "kernels/cuda/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simt/fake_device.h"

namespace tessera::testing {
namespace {

using ::testing::HasSubstr;

absl::Status StatusOf(const CudaOptions& options) { return MakeCudaBackend(options).status(); }

std::string NameOf(const CudaOptions& options) {
  const auto backend = MakeCudaBackend(options);
  return backend.ok() ? (*backend)->name() : backend.status().ToString();
}

TEST(Device, NamesItselfAndItsKernel) {
  simt::ResetFakeDevice({.name = "H200"});
  EXPECT_EQ(NameOf({}), "cuda/H200 sm_90 cluster");
  EXPECT_EQ(NameOf({.kernel = "auto"}), "cuda/H200 sm_90 cluster");
  EXPECT_EQ(NameOf({.kernel = "cluster", .blocks_per_row = 4}), "cuda/H200 sm_90 cluster x4");
  EXPECT_EQ(NameOf({.kernel = "fallback", .blocks_per_row = 3}), "cuda/H200 sm_90 fallback x3");
  simt::ResetFakeDevice({.name = "A100", .sm_major = 8});
  EXPECT_EQ(NameOf({}), "cuda/A100 sm_80 fallback");
}

TEST(Device, IsUnavailableOnAMachineWithoutOne) {
  simt::ResetFakeDevice({.devices = 0});
  const absl::Status none = StatusOf({});
  EXPECT_EQ(none.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(none.message()), HasSubstr("cudaErrorNoDevice"));
  simt::ResetFakeDevice({});
  simt::FailCallTo("cudaGetDeviceCount", 0, cudaErrorInsufficientDriver);
  const absl::Status old = StatusOf({});
  EXPECT_EQ(old.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(old.message()), HasSubstr("CUDA driver version is insufficient"));
}

TEST(Device, RefusesOptionsThatDoNotFitIt) {
  simt::ResetFakeDevice({.devices = 2});
  const struct {
    CudaOptions options;
    const char* message;
  } cases[] = {
      {{2, "", 0}, "device is 2; it must be in [0, 1] on this machine"},
      {{-1, "", 0}, "device is -1; it must be in [0, 1] on this machine"},
      {{0, "warp", 0}, "kernel is \"warp\"; it must be auto, cluster or fallback"},
      {{0, "", 3}, "blocks_per_row is 3; it must be 0 (chosen) or a power of two in [1, 8]"},
      {{0, "", 16}, "blocks_per_row is 16"},
      {{0, "", -1}, "blocks_per_row is -1"},
      {{0, "fallback", 1025}, "blocks_per_row is 1025; it must be 0 (chosen) or in [1, 1024]"},
  };
  for (const auto& [options, message] : cases) {
    const absl::Status refused = StatusOf(options);
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument) << refused;
    EXPECT_THAT(std::string(refused.message()), HasSubstr(message));
  }
  simt::ResetFakeDevice({.name = "A100", .sm_major = 8});
  EXPECT_THAT(std::string(StatusOf({.kernel = "cluster"}).message()),
              HasSubstr("needs sm_90 or newer; A100 is sm_80: use auto or fallback"));
}

TEST(Device, PassesOnAnErrorOfEveryCallThatOpensIt) {
  simt::ResetFakeDevice({});
  ASSERT_TRUE(StatusOf({}).ok());
  const uint64_t calls = simt::CallsMade();
  ASSERT_GT(calls, 8u);
  for (uint64_t i = 0; i < calls; ++i) {
    simt::FailCall(i, cudaErrorInvalidValue);
    const absl::Status failed = StatusOf({});
    EXPECT_EQ(failed.code(), absl::StatusCode::kInternal) << "call " << i << ": " << failed;
    EXPECT_THAT(std::string(failed.message()), HasSubstr("cudaErrorInvalidValue"));
    simt::FailNothing();
  }
  EXPECT_TRUE(StatusOf({}).ok());
  EXPECT_EQ(simt::FakeLiveObjects().total(), 0u);
}

}  // namespace
}  // namespace tessera::testing

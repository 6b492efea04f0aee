// The host side of residuals: what is packed and uploaded arrives whole, in windows and under any
// order of streams; nothing is allocated in the steady state; every CUDA call may fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/cuda/cuda_backend.h"
#include "tests/cuda/asked_residuals.h"
#include "tests/cuda/echo_residual.h"
#include "tests/simt/fake_device.h"

namespace tessera::testing {
namespace {

using ::testing::HasSubstr;

class ResidualHost : public ::testing::Test {
 protected:
  void SetUp() override { Fresh({}); }
  void TearDown() override {
    backend_.reset();
    EXPECT_EQ(simt::FakeLiveObjects().total(), 0u);
  }
  void Fresh(const simt::FakeDevice& fake) {
    backend_.reset();
    simt::ResetFakeDevice(fake);
    auto backend = MakeCudaBackend({});
    ASSERT_TRUE(backend.ok()) << backend.status();
    backend_ = *std::move(backend);
  }
  absl::Status Run(const ResidualBatch& batch, std::vector<ResidualResult>* results) {
    results->assign(batch.residuals.size(), {});
    return backend_->RunResiduals(batch, absl::MakeSpan(*results));
  }
  absl::Status Run(const AskedResiduals& asked) {
    std::vector<ResidualResult> results;
    return Run(asked.batch(), &results);
  }
  void ExpectEchoed(const AskedResiduals& asked) {
    std::vector<ResidualResult> results;
    const absl::Status status = Run(asked.batch(), &results);
    ASSERT_TRUE(status.ok()) << status << ' ' << simt::KernelComplaint();
    const std::vector<ResidualResult> expected = EchoedResiduals(asked.batch());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_TRUE(results[i].total == expected[i].total) << "residual " << i;
      ASSERT_EQ(results[i].token, expected[i].token) << "residual " << i;
    }
  }
  uint64_t CallsOfOneRun(const AskedResiduals& asked) {
    const uint64_t before = simt::CallsMade();
    EXPECT_TRUE(Run(asked).ok());
    return simt::CallsMade() - before;
  }

  std::unique_ptr<Backend> backend_;
};

TEST_F(ResidualHost, EverythingArrives) {
  Random random(1);
  size_t echoed = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const AskedResiduals asked(seed, 1 + static_cast<int>(random.Below(8)),
                               1 + static_cast<int>(random.Below(24)), 1 + random.Below(2000));
    ExpectEchoed(asked);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
    echoed += asked.batch().residuals.size();
  }
  std::printf("%zu residuals\n", echoed);
}

TEST_F(ResidualHost, EveryOrderOfStreamsGivesTheSame) {
  const AskedResiduals first(2, 5, 9, 3000);
  const AskedResiduals second(3, 3, 20, 900);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Fresh({.seed = seed});
    ExpectEchoed(first);
    ExpectEchoed(second);
    if (HasFatalFailure()) FAIL() << "schedule " << seed;
  }
}

TEST_F(ResidualHost, NothingIsAllocatedAndOneWaitIsMadeInTheSteadyState) {
  const AskedResiduals wide(4, 6, 12, 100000);
  const AskedResiduals narrow(5, 8, 30, 1000);
  ExpectEchoed(wide);
  ExpectEchoed(narrow);
  constexpr const char* kForbidden[] = {
      "cudaMalloc",     "cudaFree",        "cudaHostAlloc",
      "cudaFreeHost",   "cudaMemsetAsync", "cudaStreamQuery",
      "cudaMemGetInfo", "cudaEventQuery",  "cudaDeviceSynchronize"};
  std::vector<uint64_t> before;
  for (const char* name : kForbidden) before.push_back(simt::CallsMadeTo(name));
  const uint64_t waits = simt::CallsMadeTo("cudaStreamSynchronize");
  for (int run = 0; run < 3; ++run) {
    ExpectEchoed(wide);
    ExpectEchoed(narrow);
  }
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(simt::CallsMadeTo(kForbidden[i]), before[i]) << kForbidden[i];
  }
  EXPECT_EQ(simt::CallsMadeTo("cudaStreamSynchronize"), waits + 6);
  EXPECT_EQ(simt::PageableDownloads(), 0u);
}

// 20 rows of 400 KB and 20 of 200 KB for a device of 8 MiB.
TEST_F(ResidualHost, MoreThanTheDeviceHoldsIsSplit) {
  Fresh({.memory_bytes = size_t{8} << 20});
  const AskedResiduals asked(6, 20, 40, 100000);
  const uint64_t launches = simt::CallsMadeTo("cudaLaunchKernel");
  ExpectEchoed(asked);
  EXPECT_GT(simt::CallsMadeTo("cudaLaunchKernel"), launches + 3);
}

TEST_F(ResidualHost, WhatDoesNotFitIsRefusedByItsBytes) {
  Fresh({.memory_bytes = size_t{2} << 20});
  const absl::Status refused = Run(AskedResiduals(7, 1, 1, 524288));
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("bytes"));
  EXPECT_TRUE(backend_->healthy());
  ExpectEchoed(AskedResiduals(8, 2, 5, 1000));
}

TEST_F(ResidualHost, NobodyWaits) {
  const AskedResiduals asked(9, 2, 5, 1000);
  ResidualBatch batch = asked.batch();
  batch.still_wanted = [] { return false; };
  std::vector<ResidualResult> results;
  EXPECT_EQ(Run(batch, &results).code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(simt::CallsMadeTo("cudaLaunchKernel"), 0u);
  EXPECT_TRUE(backend_->healthy());
  ExpectEchoed(asked);
}

TEST_F(ResidualHost, NoResidualsMakeNoCalls) {
  const uint64_t calls = simt::CallsMade();
  std::vector<ResidualResult> results;
  EXPECT_TRUE(Run(ResidualBatch{}, &results).ok());
  EXPECT_EQ(simt::CallsMade(), calls);
}

TEST_F(ResidualHost, AFailedCallIsAStatusAndNoMore) {
  const AskedResiduals asked(10, 4, 8, 2000);
  const uint64_t first_calls = CallsOfOneRun(asked);
  const uint64_t steady_calls = CallsOfOneRun(asked);
  for (const bool steady : {false, true}) {
    const uint64_t calls = steady ? steady_calls : first_calls;
    for (uint64_t i = 0; i < calls; ++i) {
      Fresh({});
      if (steady) {
        ASSERT_TRUE(Run(asked).ok());
      }
      simt::FailCall(i, cudaErrorInvalidValue);
      const absl::Status failed = Run(asked);
      EXPECT_EQ(failed.code(), absl::StatusCode::kInternal) << "call " << i << ": " << failed;
      EXPECT_TRUE(backend_->healthy());
      EXPECT_EQ(simt::FakeLiveObjects().pending_operations, 0u) << "call " << i;
      ExpectEchoed(asked);
    }
  }
  std::printf("%d + %d calls\n", static_cast<int>(first_calls), static_cast<int>(steady_calls));
}

TEST_F(ResidualHost, ShortMemoryIsNotTheEnd) {
  const AskedResiduals asked(11, 4, 8, 2000);
  const uint64_t calls = CallsOfOneRun(asked);
  for (uint64_t i = 0; i < calls; ++i) {
    Fresh({});
    simt::FailCall(i, cudaErrorMemoryAllocation);
    const absl::Status status = Run(asked);
    EXPECT_TRUE(status.ok() || status.code() == absl::StatusCode::kResourceExhausted) << status;
    EXPECT_TRUE(backend_->healthy());
    ExpectEchoed(asked);
  }
}

TEST_F(ResidualHost, ALostDeviceIsTold) {
  const AskedResiduals asked(12, 2, 4, 500);
  const uint64_t calls = CallsOfOneRun(asked);
  for (uint64_t i = 0; i < calls; ++i) {
    Fresh({});
    simt::FailCall(i, cudaErrorECCUncorrectable);
    EXPECT_EQ(Run(asked).code(), absl::StatusCode::kUnavailable) << "call " << i;
    EXPECT_FALSE(backend_->healthy());
    const uint64_t made = simt::CallsMade();
    EXPECT_THAT(std::string(Run(asked).message()), HasSubstr("was lost by an earlier error"));
    EXPECT_EQ(simt::CallsMade(), made);
  }
}

}  // namespace
}  // namespace tessera::testing

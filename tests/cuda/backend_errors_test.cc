// Every CUDA call of a batch fails in turn: a status comes back, nothing leaks, and the backend
// goes on unless the device is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cuda/cuda_backend.h"
#include "tests/cuda/echo_row.h"
#include "tests/simt/fake_device.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

using ::testing::HasSubstr;

class BackendErrors : public ::testing::Test {
 protected:
  static constexpr int64_t kWidth = 262144;  // three rows a MiB each, then some

  void SetUp() override {
    Random random(9);
    std::vector<RowSpec> rows;
    constexpr int kRows = 6;
    rows.reserve(kRows);
    for (int i = 0; i < kRows; ++i) {
      rows.push_back(RandomRow(random, Shape::kNormal, kWidth, kWidth, DType::kFloat32));
    }
    specs_ = std::make_unique<SpecBatch>(std::move(rows), DType::kFloat32, kWidth);
    expected_ = EchoedBits(specs_->batch());
    Fresh();
  }
  void Fresh() {
    backend_.reset();
    simt::ResetFakeDevice({});
    auto backend = MakeCudaBackend({});
    ASSERT_TRUE(backend.ok()) << backend.status();
    backend_ = *std::move(backend);
  }
  absl::Status Run() {
    BatchResult results;
    return backend_->Run(specs_->batch(), &results);
  }
  uint64_t CallsOfOneRun() {
    const uint64_t before = simt::CallsMade();
    EXPECT_TRUE(Run().ok());
    return simt::CallsMade() - before;
  }
  void ExpectWorks() { EXPECT_EQ(BitsOfRun(*backend_, specs_->batch()), expected_); }
  void ExpectNothingLeftBehind() {
    backend_.reset();
    EXPECT_EQ(simt::FakeLiveObjects().total(), 0u);
  }

  std::unique_ptr<SpecBatch> specs_;
  std::vector<std::vector<uint32_t>> expected_;
  std::unique_ptr<Backend> backend_;
};

TEST_F(BackendErrors, AFailedCallOfTheFirstBatchIsAStatusAndNoMore) {
  const uint64_t calls = CallsOfOneRun();
  for (uint64_t i = 0; i < calls; ++i) {
    Fresh();
    simt::FailCall(i, cudaErrorInvalidValue);
    const absl::Status failed = Run();
    EXPECT_EQ(failed.code(), absl::StatusCode::kInternal) << "call " << i << ": " << failed;
    EXPECT_THAT(std::string(failed.message()), HasSubstr("cudaErrorInvalidValue"));
    EXPECT_TRUE(backend_->healthy());
    EXPECT_EQ(simt::FakeLiveObjects().pending_operations, 0u) << "call " << i;
    ExpectWorks();
    ExpectNothingLeftBehind();
  }
  std::printf("%d calls\n", static_cast<int>(calls));
}

TEST_F(BackendErrors, AFailedCallInTheSteadyStateToo) {
  ASSERT_TRUE(Run().ok());
  const uint64_t calls = CallsOfOneRun();
  for (uint64_t i = 0; i < calls; ++i) {
    simt::FailCall(i, cudaErrorInvalidValue);
    EXPECT_EQ(Run().code(), absl::StatusCode::kInternal) << "call " << i;
    EXPECT_TRUE(backend_->healthy());
    EXPECT_EQ(simt::FakeLiveObjects().pending_operations, 0u) << "call " << i;
    ExpectWorks();
    simt::FailNothing();
  }
  ExpectNothingLeftBehind();
}

// Short of memory once: the batch is split, or its status says so.
TEST_F(BackendErrors, ShortMemoryIsNotTheEnd) {
  const uint64_t calls = CallsOfOneRun();
  for (uint64_t i = 0; i < calls; ++i) {
    Fresh();
    simt::FailCall(i, cudaErrorMemoryAllocation);
    BatchResult results;
    const absl::Status status = backend_->Run(specs_->batch(), &results);
    EXPECT_TRUE(status.ok() || status.code() == absl::StatusCode::kResourceExhausted) << status;
    EXPECT_TRUE(backend_->healthy());
    ExpectWorks();
    ExpectNothingLeftBehind();
  }
}

TEST_F(BackendErrors, AnErrorThatLosesTheDeviceEndsItsHealth) {
  const uint64_t calls = CallsOfOneRun();
  for (uint64_t i = 0; i < calls; ++i) {
    Fresh();
    simt::FailCall(i, cudaErrorECCUncorrectable);
    const absl::Status failed = Run();
    EXPECT_EQ(failed.code(), absl::StatusCode::kUnavailable) << "call " << i << ": " << failed;
    EXPECT_FALSE(backend_->healthy()) << "call " << i;
    const uint64_t made = simt::CallsMade();
    const absl::Status again = Run();
    EXPECT_EQ(again.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(again.message()), HasSubstr("was lost by an earlier error"));
    EXPECT_EQ(simt::CallsMade(), made);
    ExpectNothingLeftBehind();
  }
}

TEST_F(BackendErrors, AKernelThatFaultsIsReportedByTheWait) {
  for (uint64_t kernel : {0u, 1u}) {
    Fresh();
    simt::FailKernel(kernel, cudaErrorIllegalAddress);
    const absl::Status failed = Run();
    EXPECT_EQ(failed.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(failed.message()),
                HasSubstr("cudaErrorIllegalAddress: an illegal memory access was encountered"));
    EXPECT_FALSE(backend_->healthy());
    ExpectNothingLeftBehind();
  }
}

}  // namespace
}  // namespace tessera::testing

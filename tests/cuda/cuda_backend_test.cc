// The backend around its sessions: threads, windows, empty batches.
#include "kernels/cuda/cuda_backend.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/cuda/echo_row.h"
#include "tests/simt/fake_device.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

class CudaBackends : public ::testing::Test {
 protected:
  void SetUp() override { Reset({}); }
  void TearDown() override {
    backend_.reset();
    EXPECT_EQ(simt::FakeLiveObjects().total(), 0u);
    EXPECT_EQ(simt::KernelComplaint(), "");
  }
  void Reset(const simt::FakeDevice& fake) {
    backend_.reset();
    simt::ResetFakeDevice(fake);
    auto backend = MakeCudaBackend({});
    ASSERT_TRUE(backend.ok()) << backend.status();
    backend_ = *std::move(backend);
  }

  std::unique_ptr<Backend> backend_;
};

TEST_F(CudaBackends, EchoRandomBatches) {
  constexpr int kBatches = 60;
  Random random(1);
  for (int i = 0; i < kBatches; ++i) {
    const int64_t width = 1 + random.Below(2000);
    const SpecBatch specs(NormalRows(random.Word(), 1 + static_cast<int>(random.Below(20)), width),
                          DType::kFloat32, width, {random.Below(9), random.Below(9)});
    ASSERT_EQ(BitsOfRun(*backend_, specs.batch()), EchoedBits(specs.batch())) << "batch " << i;
  }
  EXPECT_TRUE(backend_->healthy());
  std::printf("%d batches\n", kBatches);
}

TEST_F(CudaBackends, AcceptAnEmptyBatch) {
  const LogitsMatrix matrix({{1.0f}}, DType::kFloat32);
  const uint64_t calls = simt::CallsMade();
  EXPECT_TRUE(BitsOfRun(*backend_, {matrix.view(), 1, {}}).empty());
  EXPECT_EQ(simt::CallsMade(), calls);
}

TEST_F(CudaBackends, RunFromSeveralThreadsAtOnce) {
  const SpecBatch specs(NormalRows(2, 25, 700), DType::kFloat32, 700);
  const SpecBatch wide(NormalRows(3, 6, 262144), DType::kFloat32, 262144);
  const auto expected = EchoedBits(specs.batch());
  const auto expected_wide = EchoedBits(wide.batch());
  std::vector<std::thread> callers;
  callers.reserve(4);
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      for (int run = 0; run < 5; ++run) {
        EXPECT_EQ(BitsOfRun(*backend_, specs.batch()), expected);
        if (caller == 0) {
          EXPECT_EQ(BitsOfRun(*backend_, wide.batch()), expected_wide);
        }
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_LE(simt::FakeLiveObjects().streams, 4u);  // of two sessions
}

// 24 MiB of logits for a device of 16 MiB.
TEST_F(CudaBackends, SplitBatchesThatTheDeviceCannotHold) {
  Reset({.memory_bytes = size_t{16} << 20});
  const SpecBatch specs(NormalRows(4, 96, 65536), DType::kFloat32, 65536);
  const auto expected = EchoedBits(specs.batch());
  EXPECT_EQ(BitsOfRun(*backend_, specs.batch()), expected);
  const uint64_t allocations = simt::CallsMadeTo("cudaMalloc");
  EXPECT_EQ(BitsOfRun(*backend_, specs.batch()), expected);
  EXPECT_EQ(simt::CallsMadeTo("cudaMalloc"), allocations);
}

// Memory that something else holds: less is there than the device has.
TEST_F(CudaBackends, TakeLessWhenMemoryIsShort) {
  Reset({.memory_bytes = size_t{64} << 20});
  void* others = nullptr;
  ASSERT_EQ(cudaMalloc(&others, size_t{57} << 20), cudaSuccess);
  const SpecBatch specs(NormalRows(5, 40, 65536), DType::kFloat32, 65536);
  EXPECT_EQ(BitsOfRun(*backend_, specs.batch()), EchoedBits(specs.batch()));
  EXPECT_EQ(cudaFree(others), cudaSuccess);
}

TEST_F(CudaBackends, SayWhatDoesNotFitAndGoOn) {
  Reset({.memory_bytes = size_t{6} << 20});
  const SpecBatch wide(NormalRows(6, 2, 524288), DType::kFloat32, 524288);
  BatchResult results;
  const absl::Status refused = backend_->Run(wide.batch(), &results);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(refused.message().find("bytes"), absl::string_view::npos) << refused;
  EXPECT_TRUE(backend_->healthy());
  const SpecBatch small(NormalRows(7, 5, 1000), DType::kFloat32, 1000);
  EXPECT_EQ(BitsOfRun(*backend_, small.batch()), EchoedBits(small.batch()));
}

TEST_F(CudaBackends, StopWhenNobodyWaits) {
  const SpecBatch specs(NormalRows(8, 3, 500), DType::kFloat32, 500);
  Batch batch = specs.batch();
  batch.still_wanted = [] { return false; };
  BatchResult results;
  EXPECT_EQ(backend_->Run(batch, &results).code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(backend_->healthy());
  EXPECT_EQ(simt::CallsMadeTo("cudaLaunchKernel"), 0u);
  EXPECT_EQ(BitsOfRun(*backend_, specs.batch()), EchoedBits(specs.batch()));
}

}  // namespace
}  // namespace tessera::testing

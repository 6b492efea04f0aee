// The host side in its steady state: nothing is allocated, one wait, any order that streams allow.
#include "kernels/cuda/session.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/cuda/echo_row.h"
#include "tests/simt/fake_device.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

class Sessions : public ::testing::Test {
 protected:
  void SetUp() override { Reset({}); }
  void TearDown() override {
    session_.reset();
    EXPECT_EQ(simt::FakeLiveObjects().total(), 0u);
    EXPECT_EQ(simt::KernelComplaint(), "");
  }
  void Reset(const simt::FakeDevice& fake) {
    session_.reset();
    simt::ResetFakeDevice(fake);
    auto device = OpenDevice({});
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *device;
    auto session = Session::Create(device_);
    ASSERT_TRUE(session.ok()) << session.status();
    session_ = *std::move(session);
  }
  std::vector<std::vector<uint32_t>> BitsOfSession(const Batch& batch) {
    BatchResult results;
    results.Reset(batch);
    const absl::Status status = session_->Run(batch, batch.rows, results.rows());
    EXPECT_TRUE(status.ok()) << status;
    std::vector<std::vector<uint32_t>> bits;
    for (const RowResult& row : results.rows()) bits.push_back(BitsOf(row));
    return bits;
  }

  Device device_;
  std::unique_ptr<Session> session_;
};

constexpr const char* kForbiddenInSteadyState[] = {"cudaMalloc",
                                                   "cudaFree",
                                                   "cudaHostAlloc",
                                                   "cudaFreeHost",
                                                   "cudaMemsetAsync",
                                                   "cudaStreamCreateWithFlags",
                                                   "cudaStreamDestroy",
                                                   "cudaMemGetInfo",
                                                   "cudaEventCreateWithFlags",
                                                   "cudaEventDestroy",
                                                   "cudaEventQuery",
                                                   "cudaEventSynchronize",
                                                   "cudaStreamQuery",
                                                   "cudaSetDevice",
                                                   "cudaDeviceSynchronize",
                                                   "cudaFuncSetAttribute",
                                                   "cudaGraphInstantiate"};

TEST_F(Sessions, AllocateNothingAndWaitOnceInTheSteadyState) {
  // Rows of 1 MiB, several blocks of them; then fewer, then narrower ones.
  const SpecBatch wide(NormalRows(1, 10, 262144), DType::kFloat32, 262144);
  const SpecBatch narrow(NormalRows(2, 30, 1000), DType::kBfloat16, 1000);
  const auto expected_wide = EchoedBits(wide.batch());
  const auto expected_narrow = EchoedBits(narrow.batch());
  EXPECT_EQ(BitsOfSession(wide.batch()), expected_wide);
  EXPECT_EQ(BitsOfSession(narrow.batch()), expected_narrow);
  std::vector<uint64_t> before;
  for (const char* name : kForbiddenInSteadyState) before.push_back(simt::CallsMadeTo(name));
  const uint64_t waits = simt::CallsMadeTo("cudaStreamSynchronize");
  const uint64_t launches = simt::CallsMadeTo("cudaLaunchKernel");
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(BitsOfSession(wide.batch()), expected_wide);
    EXPECT_EQ(BitsOfSession(narrow.batch()), expected_narrow);
  }
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(simt::CallsMadeTo(kForbiddenInSteadyState[i]), before[i])
        << kForbiddenInSteadyState[i];
  }
  EXPECT_EQ(simt::CallsMadeTo("cudaStreamSynchronize"), waits + 6);
  EXPECT_EQ(simt::CallsMadeTo("cudaLaunchKernel"), launches + uint64_t{3} * (3 + 1));
  EXPECT_EQ(simt::PageableDownloads(), 0u);
}

constexpr uint64_t kSchedules = 20;

TEST_F(Sessions, GiveTheSameInEveryOrderThatStreamsAllow) {
  const SpecBatch first(NormalRows(3, 9, 262144), DType::kFloat32, 262144);
  const SpecBatch second(NormalRows(4, 9, 262144), DType::kFloat32, 262144);
  const auto expected_first = EchoedBits(first.batch());
  const auto expected_second = EchoedBits(second.batch());
  for (uint64_t seed = 0; seed < kSchedules; ++seed) {
    Reset({.seed = seed});
    ASSERT_EQ(BitsOfSession(first.batch()), expected_first) << "schedule " << seed;
    ASSERT_EQ(BitsOfSession(second.batch()), expected_second) << "schedule " << seed;
  }
  std::printf("%d schedules\n", static_cast<int>(kSchedules));
}

// Rows in any order, several of the same logits, gaps between rows and odd starts.
TEST_F(Sessions, FindEveryRowsLogits) {
  Random random(5);
  for (const DType dtype : kAllDTypes) {
    for (int64_t width : {1, 7, 64, 1000}) {
      std::vector<RowSpec> rows = NormalRows(random.Word(), 12, width + 3);
      for (RowSpec& row : rows) {
        for (float& y : row.logits) y = Rounded(y, dtype);
      }
      const SpecBatch specs(rows, dtype, width, {random.Below(20), random.Below(20)});
      std::vector<RowInput> inputs;
      for (int i = 0; i < 40; ++i) {
        const auto& any = specs.batch().rows;
        inputs.push_back(any[random.Below(static_cast<int64_t>(any.size()))]);
        inputs.back().logits_row = random.Below(specs.batch().logits.rows);
      }
      Batch batch = specs.batch();
      batch.rows = inputs;
      ASSERT_EQ(BitsOfSession(batch), EchoedBits(batch)) << DTypeName(dtype) << " x " << width;
    }
  }
}

TEST_F(Sessions, UploadSharedLogitsOnce) {
  const SpecBatch specs(NormalRows(6, 2, 262144), DType::kFloat32, 262144);
  std::vector<RowInput> inputs(20, specs.batch().rows[0]);
  for (size_t i = 1; i < inputs.size(); i += 2) inputs[i] = specs.batch().rows[1];
  Batch batch = specs.batch();
  batch.rows = inputs;
  EXPECT_EQ(BitsOfSession(batch), EchoedBits(batch));
  // Packed rows up, one copy of both rows of logits, results down.
  EXPECT_EQ(simt::CallsMadeTo("cudaMemcpyAsync") + simt::CallsMadeTo("cudaMemcpy2DAsync"), 3u);
}

TEST_F(Sessions, StopBetweenBlocksWhenNobodyWaits) {
  const SpecBatch specs(NormalRows(7, 12, 262144), DType::kFloat32, 262144);
  for (int answers = 0; answers < 3; ++answers) {
    Batch batch = specs.batch();
    int asked = 0;
    batch.still_wanted = [&] { return asked++ < answers; };
    BatchResult results;
    results.Reset(batch);
    EXPECT_EQ(session_->Run(batch, batch.rows, results.rows()).code(),
              absl::StatusCode::kCancelled);
    EXPECT_EQ(simt::FakeLiveObjects().pending_operations, 0u);
    EXPECT_TRUE(session_->usable());
    EXPECT_EQ(BitsOfSession(specs.batch()), EchoedBits(specs.batch()));
  }
}

// What the bench and an arena on the device do.
class OnDevice : public Sessions {
 protected:
  static constexpr int64_t kWidth = 1000;

  void SetUp() override { Start({}); }
  void Start(const simt::FakeDevice& fake) {
    memory_ = {};
    Reset(fake);
    const LogitsView view = specs_.batch().logits;
    const size_t pitch = After(0, kWidth * sizeof(float));
    ASSERT_TRUE(memory_.Reserve(static_cast<size_t>(view.rows) * pitch).ok());
    ASSERT_EQ(cudaMemcpy2DAsync(memory_.view().data, pitch, view.data,
                                static_cast<size_t>(view.row_stride_bytes), kWidth * sizeof(float),
                                static_cast<size_t>(view.rows), cudaMemcpyHostToDevice,
                                session_->stream().get()),
              cudaSuccess);
    ASSERT_TRUE(session_->stream().Synchronize().ok());
    logits_ = {memory_.view().data, DType::kFloat32, static_cast<int64_t>(pitch), kWidth};
    results_.Reset(specs_.batch());
  }
  void TearDown() override {
    memory_ = {};
    Sessions::TearDown();
  }
  std::vector<std::vector<uint32_t>> Bits() const {
    std::vector<std::vector<uint32_t>> bits;
    for (const RowResult& row : results_.rows()) bits.push_back(BitsOf(row));
    return bits;
  }

  const SpecBatch specs_{NormalRows(8, 33, kWidth), DType::kFloat32, kWidth};
  DeviceBuffer memory_;
  DeviceLogits logits_;
  BatchResult results_;
};

TEST_F(OnDevice, LogitsAreNotCopied) {
  const uint64_t copies = simt::CallsMadeTo("cudaMemcpyAsync");
  const absl::Status status = session_->RunOnDevice(logits_, specs_.batch().rows, results_.rows());
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(Bits(), EchoedBits(specs_.batch()));
  EXPECT_EQ(simt::CallsMadeTo("cudaMemcpyAsync"), copies + 2);  // rows up, results down
  EXPECT_EQ(simt::CallsMadeTo("cudaMemcpy2DAsync"), 1u);        // this test's own
}

TEST_F(OnDevice, TheOrderOfStreamsChangesNothing) {
  const auto expected = EchoedBits(specs_.batch());
  for (uint64_t seed = 0; seed < kSchedules; ++seed) {
    Start({.seed = seed});
    ASSERT_TRUE(session_->RunOnDevice(logits_, specs_.batch().rows, results_.rows()).ok());
    ASSERT_EQ(Bits(), expected) << "schedule " << seed;
  }
}

// A launch that allocated or waited would break the capture.
TEST_F(OnDevice, AGraphCapturesTheLaunch) {
  ASSERT_TRUE(session_->Prepare(logits_, specs_.batch().rows, results_.rows()).ok());
  cudaStream_t stream = session_->stream().get();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  const uint64_t calls = simt::CallsMade();
  ASSERT_TRUE(session_->Launch().ok());
  EXPECT_EQ(simt::CallsMade(), calls + 1);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  for (int replay = 0; replay < 3; ++replay) {
    ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  }
  ASSERT_TRUE(session_->Finish().ok());
  EXPECT_EQ(Bits(), EchoedBits(specs_.batch()));
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

}  // namespace
}  // namespace tessera::testing

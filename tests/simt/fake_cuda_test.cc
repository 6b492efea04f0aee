// The played CUDA runtime catches what it is there to catch: missing waits, host code that touches
// device memory, mixed-up pointers, memory freed too early.
#include "tests/simt/fake_cuda.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

#include "tests/simt/fake_device.h"
#include "tests/simt/stream_hook.h"

namespace simt {
namespace {

class FakeCuda : public ::testing::Test {
 protected:
  void SetUp() override { Start({}); }
  void TearDown() override {
    if (!FakeDeviceLost()) {
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    End();
  }
  void Start(const FakeDevice& device) {
    ResetFakeDevice(device);
    ASSERT_EQ(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&kernels_, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&device_, kBytes), cudaSuccess);
    ASSERT_EQ(cudaHostAlloc(&pinned_memory_, kBytes, cudaHostAllocDefault), cudaSuccess);
    pinned_ = static_cast<int*>(pinned_memory_);
  }
  void End() {
    cudaEventDestroy(event_);
    cudaStreamDestroy(copies_);
    cudaStreamDestroy(kernels_);
    cudaFree(device_);
    cudaFreeHost(pinned_memory_);
    EXPECT_EQ(FakeLiveObjects().total(), 0u);
  }
  // Uploads 5, adds one on another stream, downloads there.
  int AddOneBesideUpload(bool wait) {
    *pinned_ = 5;
    cudaMemcpyAsync(device_, pinned_, sizeof(int), cudaMemcpyHostToDevice, copies_);
    cudaEventRecord(event_, copies_);
    if (wait) cudaStreamWaitEvent(kernels_, event_);
    int* value = static_cast<int*>(device_);
    stream_hook(kernels_, [value] { ++*value; });
    cudaMemcpyAsync(pinned_ + 1, device_, sizeof(int), cudaMemcpyDeviceToHost, kernels_);
    EXPECT_EQ(cudaStreamSynchronize(kernels_), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(copies_), cudaSuccess);
    return pinned_[1];
  }

  static constexpr size_t kBytes = 4096;
  cudaStream_t copies_ = nullptr;
  cudaStream_t kernels_ = nullptr;
  cudaEvent_t event_ = nullptr;
  void* device_ = nullptr;
  void* pinned_memory_ = nullptr;
  int* pinned_ = nullptr;
};

TEST_F(FakeCuda, AnEventOrdersStreams) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    End();
    Start({.seed = seed});
    EXPECT_EQ(AddOneBesideUpload(true), 6) << seed;
  }
}

TEST_F(FakeCuda, AMissingEventShowsInTheNumbers) {
  std::set<int> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    End();
    Start({.seed = seed});
    seen.insert(AddOneBesideUpload(false));
  }
  EXPECT_GT(seen.size(), 1u);
  End();
  Start({.seed = 0});
  EXPECT_NE(AddOneBesideUpload(false), 6);
}

TEST_F(FakeCuda, NothingRunsBeforeSomebodyWaits) {
  *pinned_ = 1;
  cudaMemcpyAsync(device_, pinned_, sizeof(int), cudaMemcpyHostToDevice, copies_);
  cudaMemcpyAsync(pinned_ + 1, device_, sizeof(int), cudaMemcpyDeviceToHost, copies_);
  pinned_[1] = 77;
  *pinned_ = 2;  // too early: the copy has not read it
  EXPECT_EQ(FakeLiveObjects().pending_operations, 2u);
  EXPECT_EQ(cudaStreamSynchronize(copies_), cudaSuccess);
  EXPECT_EQ(pinned_[1], 2);
}

TEST_F(FakeCuda, PointersOfTheWrongSideAreErrors) {
  std::vector<int> host(4);
  EXPECT_EQ(cudaMemcpyAsync(host.data(), pinned_, 4, cudaMemcpyHostToDevice, copies_),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(device_, device_, 4, cudaMemcpyHostToDevice, copies_),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(device_, host.data(), 4, cudaMemcpyDeviceToHost, copies_),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(device_, pinned_, kBytes + 1, cudaMemcpyHostToDevice, copies_),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(pinned_, 0, 4, copies_), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned_), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_FALSE(FakeDeviceLost());
}

TEST_F(FakeCuda, PitchedCopiesLeaveGapsAlone) {
  std::vector<char> from = {'a', 'b', '-', 'c', 'd', '-'};
  char* pinned = static_cast<char*>(pinned_memory_);
  cudaMemsetAsync(device_, '.', 8, copies_);
  cudaMemcpy2DAsync(device_, 4, from.data(), 3, 2, 2, cudaMemcpyHostToDevice, copies_);
  cudaMemcpyAsync(pinned, device_, 8, cudaMemcpyDeviceToHost, copies_);
  EXPECT_EQ(cudaStreamSynchronize(copies_), cudaSuccess);
  EXPECT_EQ(std::string(pinned, 8), "ab..cd..");
}

TEST_F(FakeCuda, DownloadsToOrdinaryMemoryAreCounted) {
  int value = 0;
  cudaMemcpyAsync(&value, device_, sizeof(int), cudaMemcpyDeviceToHost, copies_);
  EXPECT_EQ(PageableDownloads(), 1u);
  EXPECT_EQ(cudaStreamSynchronize(copies_), cudaSuccess);
}

TEST_F(FakeCuda, MemoryFreedBeforeItsUseLosesTheDevice) {
  void* early = nullptr;
  ASSERT_EQ(cudaMalloc(&early, 64), cudaSuccess);
  cudaMemsetAsync(early, 0, 64, copies_);
  EXPECT_EQ(cudaFree(early), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(copies_), cudaErrorIllegalAddress);
  EXPECT_TRUE(FakeDeviceLost());
  EXPECT_EQ(cudaStreamSynchronize(copies_), cudaErrorIllegalAddress);
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorIllegalAddress);
}

TEST_F(FakeCuda, AKernelsComplaintIsKept) {
  stream_hook(kernels_, [] { throw std::runtime_error("thread 3 did not arrive"); });
  EXPECT_EQ(cudaStreamSynchronize(kernels_), cudaErrorLaunchFailure);
  EXPECT_EQ(KernelComplaint(), "thread 3 did not arrive");
  EXPECT_TRUE(FakeDeviceLost());
}

TEST_F(FakeCuda, CallsAreCountedAndFailOnDemand) {
  void* memory = nullptr;
  FailCallTo("cudaMalloc", 1, cudaErrorMemoryAllocation);
  const uint64_t before = CallsMadeTo("cudaMalloc");
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaSuccess);
  EXPECT_EQ(CallsMadeTo("cudaMalloc"), before + 3);
  FailCall(0, cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);  // given back all the same
  EXPECT_EQ(FakeLiveObjects().device_allocations, 1u);
}

TEST_F(FakeCuda, MemoryEndsWhereTheDeviceDoes) {
  End();
  Start({.memory_bytes = 10000});
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 10000 - kBytes + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, 10000 - kBytes), cudaSuccess);
  size_t free = 1;
  size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(free, 0u);
  EXPECT_EQ(total, 10000u);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(FakeCuda, AllocationsDoNotFitIntoACapture) {
  void* memory = nullptr;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(kernels_, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamSynchronize(kernels_), cudaErrorStreamCaptureUnsupported);
  ASSERT_EQ(cudaStreamEndCapture(kernels_, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

using FakeCudaDeathTest = FakeCuda;

TEST_F(FakeCudaDeathTest, HostCodeCannotTouchDeviceMemory) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH({ *static_cast<volatile int*>(device_) = 1; }, "");
  EXPECT_DEATH(std::memcpy(pinned_, device_, 4), "");
}

}  // namespace
}  // namespace simt

// What CUDA lends is given back once, grows and is kept, and its errors are statuses.
#include "kernels/cuda/buffers.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

#include "kernels/cuda/cuda_status.h"
#include "kernels/cuda/streams.h"
#include "tests/simt/fake_device.h"

namespace tessera::testing {
namespace {

class Buffers : public ::testing::Test {
 protected:
  void SetUp() override { simt::ResetFakeDevice({.memory_bytes = size_t{8} << 20}); }
  void TearDown() override { EXPECT_EQ(simt::FakeLiveObjects().total(), 0u); }
};

static_assert(!std::is_copy_constructible_v<DeviceBuffer>);
static_assert(!std::is_copy_constructible_v<PinnedBuffer>);
static_assert(!std::is_copy_constructible_v<Stream>);
static_assert(!std::is_copy_constructible_v<Event>);
static_assert(std::is_nothrow_move_constructible_v<DeviceBuffer>);
static_assert(std::is_nothrow_move_constructible_v<Stream>);

TEST_F(Buffers, GrowAndNeverShrink) {
  DeviceBuffer device;
  PinnedBuffer pinned;
  EXPECT_EQ(device.view().data, nullptr);
  for (size_t bytes : {1u, 1000u, 100000u, 1000u, 3u << 20, 5u}) {
    ASSERT_TRUE(device.Reserve(bytes).ok());
    ASSERT_TRUE(pinned.Reserve(bytes).ok());
    EXPECT_GE(device.view().bytes, bytes);
    EXPECT_GE(pinned.view().size(), bytes);
  }
  EXPECT_GE(device.view().bytes, size_t{3} << 20);
  EXPECT_EQ(simt::CallsMadeTo("cudaMalloc"), 3u);
  EXPECT_EQ(simt::CallsMadeTo("cudaHostAlloc"), 3u);
  EXPECT_EQ(simt::FakeLiveObjects().device_allocations, 1u);
  EXPECT_EQ(simt::FakeLiveObjects().pinned_allocations, 1u);
}

TEST_F(Buffers, SayHowManyBytesWereNotThere) {
  DeviceBuffer device;
  ASSERT_TRUE(device.Reserve(100).ok());
  const absl::Status refused = device.Reserve(size_t{9} << 20);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(refused.message().find("cudaMalloc of 10485760 bytes: cudaErrorMemoryAllocation"),
            absl::string_view::npos)
      << refused;
  EXPECT_EQ(device.view().data, nullptr);
  EXPECT_EQ(device.view().bytes, 0u);
  EXPECT_TRUE(device.Reserve(100).ok());
  PinnedBuffer pinned;
  EXPECT_EQ(pinned.Reserve(SIZE_MAX - 1).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(device.Reserve(SIZE_MAX - 1).code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(Buffers, MoveOwnership) {
  DeviceBuffer first;
  ASSERT_TRUE(first.Reserve(100).ok());
  const std::byte* address = first.view().data;
  DeviceBuffer second = std::move(first);
  EXPECT_EQ(second.view().data, address);
  EXPECT_EQ(first.view().bytes, 0u);  // NOLINT(bugprone-use-after-move): empty, and of use again
  EXPECT_TRUE(first.Reserve(100).ok());
  first = std::move(second);
  EXPECT_EQ(first.view().data, address);
  auto stream = Stream::Create();
  ASSERT_TRUE(stream.ok());
  const Stream moved = *std::move(stream);
  EXPECT_TRUE(moved.view().Synchronize().ok());
  EXPECT_EQ(simt::FakeLiveObjects().total(), 2u);
}

TEST_F(Buffers, AreGivenBackQuietlyWhenTheDeviceIsLost) {
  {
    DeviceBuffer device;
    PinnedBuffer pinned;
    ASSERT_TRUE(device.Reserve(100).ok());
    ASSERT_TRUE(pinned.Reserve(100).ok());
    const auto stream = Stream::Create();
    const auto event = Event::Create();
    ASSERT_TRUE(stream.ok() && event.ok());
    simt::FailCall(0, cudaErrorIllegalAddress);
    const absl::Status lost = stream->view().Record(event->view());
    EXPECT_TRUE(SaysDeviceLost(lost)) << lost;
    EXPECT_FALSE(stream->view().Synchronize().ok());
  }
  EXPECT_EQ(simt::FakeLiveObjects().total(), 0u);
}

struct Expected {
  cudaError_t error;
  absl::StatusCode code;
  bool lost;
};

TEST(CudaStatuses, TellMemoryDevicesAndFaultsApart) {
  for (const Expected& expected : {
           Expected{cudaErrorMemoryAllocation, absl::StatusCode::kResourceExhausted, false},
           Expected{cudaErrorNoDevice, absl::StatusCode::kUnavailable, false},
           Expected{cudaErrorInsufficientDriver, absl::StatusCode::kUnavailable, false},
           Expected{cudaErrorInvalidValue, absl::StatusCode::kInternal, false},
           Expected{cudaErrorLaunchOutOfResources, absl::StatusCode::kInternal, false},
           Expected{cudaErrorIllegalAddress, absl::StatusCode::kUnavailable, true},
           Expected{cudaErrorLaunchFailure, absl::StatusCode::kUnavailable, true},
           Expected{cudaErrorECCUncorrectable, absl::StatusCode::kUnavailable, true},
       }) {
    const absl::Status status = CudaStatus(expected.error, "cudaSomething");
    EXPECT_EQ(status.code(), expected.code) << status;
    EXPECT_EQ(SaysDeviceLost(status), expected.lost) << status;
    EXPECT_EQ(status.message(), std::string("cudaSomething: ") + cudaGetErrorName(expected.error) +
                                    ": " + cudaGetErrorString(expected.error));
  }
  EXPECT_TRUE(CudaStatus(cudaSuccess, "cudaSomething").ok());
  EXPECT_FALSE(SaysDeviceLost(absl::OkStatus()));
}

}  // namespace
}  // namespace tessera::testing

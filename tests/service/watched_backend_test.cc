// A lost device is told once and ends every call; any other failure is only the call's.
#include "service/watched_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/service/losable_backend.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WatchedBackendTest : public ::testing::Test {
 protected:
  absl::Status Run() {
    BatchResult results;
    return watched_.Run(Batch(), &results);
  }

  LosableBackend backend_;
  std::vector<std::string> told_;
  WatchedBackend watched_{&backend_, [this](const std::string& why) { told_.push_back(why); }};
};

TEST_F(WatchedBackendTest, PassesOnWhatASoundBackendSays) {
  EXPECT_EQ(watched_.name(), "losable");
  EXPECT_TRUE(Run().ok());
  backend_.full = true;
  EXPECT_EQ(Run(), absl::ResourceExhaustedError("cudaErrorMemoryAllocation"));
  backend_.full = false;
  EXPECT_TRUE(Run().ok());
  EXPECT_TRUE(told_.empty());
}

TEST_F(WatchedBackendTest, ALostDeviceIsToldOnceAndNotAskedAgain) {
  backend_.lost = true;
  for (int i = 0; i < 3; ++i) {
    const absl::Status status = Run();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("the device is lost (cudaErrorIllegalAddress)"));
  }
  EXPECT_THAT(told_, ElementsAre("cudaErrorIllegalAddress"));
  EXPECT_EQ(backend_.runs, 1);
  EXPECT_FALSE(watched_.healthy());
}

TEST_F(WatchedBackendTest, ResidualsAreWatchedAsRowsAre) {
  EXPECT_TRUE(watched_.RunResiduals(ResidualBatch(), {}).ok());
  backend_.full = true;
  EXPECT_EQ(watched_.RunResiduals(ResidualBatch(), {}),
            absl::ResourceExhaustedError("cudaErrorMemoryAllocation"));
  backend_.lost = true;
  EXPECT_EQ(watched_.RunResiduals(ResidualBatch(), {}).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Run().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(told_, ElementsAre("cudaErrorIllegalAddress"));
  EXPECT_EQ(backend_.runs, 3);
}

TEST_F(WatchedBackendTest, CallsThatFailTogetherTellOnce) {
  backend_.lost = true;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([this] { EXPECT_EQ(Run().code(), absl::StatusCode::kUnavailable); });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(told_.size(), 1u);
}

}  // namespace
}  // namespace tessera

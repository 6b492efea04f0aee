// The bound on what is in flight, and the door that closes.
#include "service/admission.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <utility>

namespace tessera {
namespace {

using std::chrono::milliseconds;

TEST(Admission, BoundsBytesAndGivesThemBack) {
  Admission admission({.max_bytes = 100, .max_calls = 10});
  absl::StatusOr<Admission::Ticket> first = admission.Enter(60);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(admission.Enter(41).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(admission.Enter(40).ok());  // its ticket ends here
  {
    const Admission::Ticket moved = *std::move(first);
    EXPECT_FALSE(admission.Enter(100).ok());
  }
  EXPECT_TRUE(admission.Enter(100).ok());
}

TEST(Admission, BoundsCalls) {
  Admission admission({.max_bytes = 100, .max_calls = 1});
  const absl::StatusOr<Admission::Ticket> only = admission.Enter(0);
  EXPECT_EQ(admission.Enter(0).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(Admission, NeverRefusesALoneCallForItsSize) {
  Admission admission({.max_bytes = 100, .max_calls = 2});
  EXPECT_TRUE(admission.Enter(1000).ok());
}

TEST(Admission, CloseRefusesAndWaitSeesTheLastCallLeave) {
  Admission admission({.max_bytes = 100, .max_calls = 2});
  auto ticket = std::make_unique<Admission::Ticket>(*admission.Enter(1));
  admission.Close();
  EXPECT_EQ(admission.Enter(1).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(admission.WaitUntilIdle(milliseconds(10)));
  std::thread leaver([&ticket] {
    std::this_thread::sleep_for(milliseconds(20));
    ticket.reset();
  });
  EXPECT_TRUE(admission.WaitUntilIdle(milliseconds(30'000)));
  leaver.join();
}

}  // namespace
}  // namespace tessera

// Waits between attempts.
#include "client/backoff.h"

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(Backoff, DoublesUpToItsLimitAndJitterTakesAtMostHalf) {
  const RetryOptions options = {.max_attempts = 9,
                                .first_backoff = absl::Milliseconds(50),
                                .max_backoff = absl::Milliseconds(300)};
  EXPECT_EQ(BackoffAfter(options, 1, 0), absl::Milliseconds(50));
  EXPECT_EQ(BackoffAfter(options, 2, 0), absl::Milliseconds(100));
  EXPECT_EQ(BackoffAfter(options, 3, 0), absl::Milliseconds(200));
  EXPECT_EQ(BackoffAfter(options, 4, 0), absl::Milliseconds(300));
  EXPECT_EQ(BackoffAfter(options, 1000, 0), absl::Milliseconds(300));
  EXPECT_EQ(BackoffAfter(options, 2, 0.5), absl::Milliseconds(75));
}

}  // namespace
}  // namespace tessera

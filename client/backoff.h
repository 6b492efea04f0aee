// How long to wait before the next attempt of a call that failed.
#ifndef TESSERA_CLIENT_BACKOFF_H_
#define TESSERA_CLIENT_BACKOFF_H_

#include <algorithm>
#include <cmath>

#include "absl/time/time.h"

namespace tessera {

struct RetryOptions {
  int max_attempts = 4;  // the first one included; 1 never retries
  absl::Duration first_backoff = absl::Milliseconds(50);
  absl::Duration max_backoff = absl::Seconds(2);
};

// The wait after `failed` failed attempts (>= 1): doubles from first_backoff up to max_backoff, and
// `jitter`, uniform in [0, 1), takes away up to half of it, so that clients that failed together
// do not come back together.
inline absl::Duration BackoffAfter(const RetryOptions& options, int failed, double jitter) {
  const double growth = std::ldexp(1.0, std::min(failed - 1, 60));
  const absl::Duration full = std::min(options.max_backoff, options.first_backoff * growth);
  return full * (1 - jitter / 2);
}

}  // namespace tessera

#endif  // TESSERA_CLIENT_BACKOFF_H_

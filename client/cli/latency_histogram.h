// Counts latencies in log-linear buckets: fixed memory, percentiles within 1/64 of the truth.
#ifndef TESSERA_CLIENT_CLI_LATENCY_HISTOGRAM_H_
#define TESSERA_CLIENT_CLI_LATENCY_HISTOGRAM_H_

#include <array>
#include <cstdint>

#include "absl/time/time.h"

namespace tessera::cli {

// Not thread-safe: give each thread its own and Merge them.
class LatencyHistogram {
 public:
  void Record(absl::Duration latency);  // below 0 counts as 0, above 2^40 ns (18 min) as that
  void Merge(const LatencyHistogram& other);

  uint64_t count() const { return count_; }
  absl::Duration max() const { return absl::Nanoseconds(static_cast<int64_t>(max_ns_)); }  // exact
  absl::Duration mean() const;  // exact; 0 when empty

  // The least value that a share q in [0, 1] of the latencies does not exceed, rounded up to its
  // bucket's end, at most 1/64 above the truth and never above max(). 0 when empty.
  absl::Duration Percentile(double q) const;

 private:
  static constexpr int kSubBits = 6;  // 64 buckets per octave
  static constexpr int kMaxBits = 40;
  static constexpr uint64_t kLargest = uint64_t{1} << kMaxBits;
  static constexpr int kBuckets = (kMaxBits - kSubBits + 2) << kSubBits;

  static int BucketOf(uint64_t ns);
  static uint64_t LastOf(int bucket);  // the largest value that the bucket holds

  std::array<uint64_t, kBuckets> buckets_ = {};
  uint64_t count_ = 0;
  uint64_t sum_ns_ = 0;
  uint64_t max_ns_ = 0;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_LATENCY_HISTOGRAM_H_

// Log-linear buckets: values below 64 ns have one each, every octave above them has 64.
#include "client/cli/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tessera::cli {

int LatencyHistogram::BucketOf(uint64_t ns) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(ns)) - 1 - kSubBits);
  // The value's leading one already counts one octave of buckets.
  return (shift << kSubBits) + static_cast<int>(ns >> shift);
}

uint64_t LatencyHistogram::LastOf(int bucket) {
  if (bucket < (2 << kSubBits)) return static_cast<uint64_t>(bucket);
  const int shift = (bucket >> kSubBits) - 1;
  const uint64_t first = static_cast<uint64_t>(bucket - (shift << kSubBits)) << shift;
  return first + (uint64_t{1} << shift) - 1;
}

void LatencyHistogram::Record(absl::Duration latency) {
  const int64_t signed_ns = absl::ToInt64Nanoseconds(latency);
  const uint64_t ns = std::min(static_cast<uint64_t>(std::max<int64_t>(signed_ns, 0)), kLargest);
  ++buckets_[BucketOf(ns)];
  ++count_;
  sum_ns_ += ns;
  max_ns_ = std::max(max_ns_, ns);
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  for (int i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_ns_ += other.sum_ns_;
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

absl::Duration LatencyHistogram::mean() const {
  return count_ == 0 ? absl::ZeroDuration()
                     : absl::Nanoseconds(static_cast<int64_t>(sum_ns_ / count_));
}

absl::Duration LatencyHistogram::Percentile(double q) const {
  if (count_ == 0) return absl::ZeroDuration();
  const double rank = std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_));
  const uint64_t wanted = std::clamp<uint64_t>(static_cast<uint64_t>(rank), 1, count_);
  uint64_t seen = 0;
  for (int i = 0; i < kBuckets; ++i) {
    seen += buckets_[i];
    if (seen >= wanted) {
      return absl::Nanoseconds(static_cast<int64_t>(std::min(LastOf(i), max_ns_)));
    }
  }
  return max();
}

}  // namespace tessera::cli

// Percentiles against sorted latencies.
#include "client/cli/latency_histogram.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

TEST(LatencyHistogram, EmptyIsZero) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.Percentile(0.99), absl::ZeroDuration());
  EXPECT_EQ(histogram.mean(), absl::ZeroDuration());
}

TEST(LatencyHistogram, SmallValuesAreExact) {
  LatencyHistogram histogram;
  for (int ns = 1; ns <= 100; ++ns) histogram.Record(absl::Nanoseconds(ns));
  EXPECT_EQ(histogram.Percentile(0.5), absl::Nanoseconds(50));
  EXPECT_EQ(histogram.Percentile(0.99), absl::Nanoseconds(99));
  EXPECT_EQ(histogram.Percentile(0), absl::Nanoseconds(1));
  EXPECT_EQ(histogram.Percentile(1), absl::Nanoseconds(100));
  EXPECT_EQ(histogram.max(), absl::Nanoseconds(100));
}

TEST(LatencyHistogram, StaysWithinASixtyFourthOfTheSortedTruth) {
  std::mt19937_64 random(7);
  std::vector<int64_t> truth;
  LatencyHistogram halves[2];
  for (int i = 0; i < 5000; ++i) {
    const double exponent = static_cast<double>(random() % 30000) / 1000;  // 1 ns to 1 s
    truth.push_back(static_cast<int64_t>(std::exp2(exponent)));
    halves[i % 2].Record(absl::Nanoseconds(truth.back()));
  }
  halves[0].Merge(halves[1]);
  std::sort(truth.begin(), truth.end());
  EXPECT_EQ(halves[0].count(), truth.size());
  EXPECT_EQ(halves[0].max(), absl::Nanoseconds(truth.back()));
  for (double q : {0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const int64_t exact = truth[static_cast<size_t>(std::ceil(q * 5000)) - 1];
    const int64_t seen = absl::ToInt64Nanoseconds(halves[0].Percentile(q));
    EXPECT_GE(seen, exact) << q;
    EXPECT_LE(seen, exact + exact / 64) << q;
  }
}

TEST(LatencyHistogram, ExtremesAreClamped) {
  LatencyHistogram histogram;
  histogram.Record(absl::Seconds(-1));
  histogram.Record(absl::InfiniteDuration());
  EXPECT_EQ(histogram.Percentile(0.5), absl::ZeroDuration());
  EXPECT_EQ(histogram.max(), absl::Nanoseconds(int64_t{1} << 40));
}

}  // namespace
}  // namespace tessera::cli

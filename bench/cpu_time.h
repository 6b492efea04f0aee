// Time that a benchmark's own thread spends, and its median.
#ifndef TESSERA_BENCH_CPU_TIME_H_
#define TESSERA_BENCH_CPU_TIME_H_

#include <time.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace tessera::bench {

// CPU time of this thread: what other programs do to the clock on the wall is not ours.
inline double NowMicroseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

inline double MicrosecondsOf(const std::function<void()>& run) {
  const double start = NowMicroseconds();
  run();
  return NowMicroseconds() - start;
}

inline double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_CPU_TIME_H_

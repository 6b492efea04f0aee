// The pool runs every index exactly once, whoever else uses it.
#include "kernels/cpu/thread_pool.h"

#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(ThreadPoolTest, EveryIndexRunsOnce) {
  for (const int threads : {1, 2, 4, 9}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const size_t count : {0, 1, 2, 3, 100, 1000}) {
      std::vector<std::atomic<int>> runs(count);
      pool.ParallelFor(count, [&](size_t i) { ++runs[i]; });
      for (size_t i = 0; i < count; ++i) EXPECT_EQ(runs[i], 1) << i << " of " << count;
    }
  }
}

TEST(ThreadPoolTest, ConcurrentCallersShareTheWorkers) {
  ThreadPool pool(3);
  constexpr int kCallers = 6;
  constexpr size_t kRounds = 200;
  std::vector<std::atomic<int>> runs(kCallers);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&, caller] {
      for (size_t round = 0; round < kRounds; ++round) {
        std::atomic<size_t> here{0};
        pool.ParallelFor(round % 7, [&](size_t) { ++here, ++runs[caller]; });
        ASSERT_EQ(here, round % 7);  // all done when the call returns
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  int expected = 0;
  for (size_t round = 0; round < kRounds; ++round) expected += static_cast<int>(round % 7);
  for (const auto& count : runs) EXPECT_EQ(count, expected);
}

TEST(ThreadPoolTest, WorkIsSpreadOverThreads) {
  ThreadPool pool(2);
  std::atomic<int> inside{0};
  // Each index waits for the other, which only two threads can satisfy.
  pool.ParallelFor(2, [&](size_t) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 2);
}

}  // namespace
}  // namespace tessera

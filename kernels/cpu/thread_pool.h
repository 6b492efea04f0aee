// Spreads the rows of a batch over threads. The calling thread works too, so a pool of one thread
// starts none, and a small batch never waits for a wake-up to begin.
#ifndef TESSERA_KERNELS_CPU_THREAD_POOL_H_
#define TESSERA_KERNELS_CPU_THREAD_POOL_H_

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "kernels/cpu/mutex.h"

namespace tessera {

class ThreadPool {
 public:
  // REQUIRES: threads >= 1, the callers of ParallelFor counted as one of them.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(i) once for each i in [0, count), in any order, from several threads; returns when
  // all have returned. Thread-safe: concurrent calls share the workers, first come first served.
  void ParallelFor(size_t count, const std::function<void(size_t)>& body);

 private:
  // One ParallelFor in progress; lives on its caller's stack.
  struct Work {
    const std::function<void(size_t)>* body;
    size_t count;
    size_t next = 0;  // first index nobody has taken
    size_t done = 0;
  };

  // Takes and runs indices of `work` until none is left. Returns holding the lock.
  void Drain(Work& work) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WorkerLoop();

  Mutex mutex_;
  Condition work_arrived_;
  Condition work_done_;
  std::vector<Work*> queue_ ABSL_GUARDED_BY(mutex_);  // those with indices left to take
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> workers_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CPU_THREAD_POOL_H_

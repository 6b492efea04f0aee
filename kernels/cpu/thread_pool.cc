#include "kernels/cpu/thread_pool.h"

#include <algorithm>

namespace tessera {

ThreadPool::ThreadPool(int threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { WorkerLoop(); });
}

ThreadPool::~ThreadPool() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  work_arrived_.NotifyAll();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::ParallelFor(size_t count, const std::function<void(size_t)>& body) {
  if (count == 0) return;
  Work work{.body = &body, .count = count};
  const MutexLock lock(mutex_);
  if (count > 1 && !workers_.empty()) {
    queue_.push_back(&work);
    work_arrived_.NotifyAll();
  }
  Drain(work);
  while (work.done < work.count) work_done_.Wait(mutex_);
}

void ThreadPool::Drain(Work& work) {
  while (work.next < work.count) {
    const size_t index = work.next++;
    if (work.next == work.count) std::erase(queue_, &work);
    mutex_.Unlock();
    (*work.body)(index);
    mutex_.Lock();
    if (++work.done == work.count) {
      work_done_.NotifyAll();
      return;  // `work` belongs to a caller that may now return
    }
  }
}

void ThreadPool::WorkerLoop() {
  const MutexLock lock(mutex_);
  while (!stopping_) {
    if (queue_.empty()) {
      work_arrived_.Wait(mutex_);
    } else {
      Drain(*queue_.front());
    }
  }
}

}  // namespace tessera

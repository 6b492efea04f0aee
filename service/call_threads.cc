#include "service/call_threads.h"

#include <utility>

namespace tessera {

CallThreads::CallThreads(int threads) {
  threads_.reserve(threads);
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Serve(); });
}

CallThreads::~CallThreads() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void CallThreads::Start(std::function<void()> call) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(std::move(call));
  }
  wake_.notify_one();
}

void CallThreads::Serve() {
  for (;;) {
    std::function<void()> call;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;  // stopping, and nothing left to run
      call = std::move(queue_.front());
      queue_.pop_front();
    }
    call();
  }
}

}  // namespace tessera

// The threads that calls run on, so that gRPC's own threads never wait for a computation.
//
// gRPC's callback threads are few and shared by every connection, health checks included: parsing a
// 64 MB request or sampling on one of them would delay all others. Here they only enqueue.
#ifndef TESSERA_SERVICE_CALL_THREADS_H_
#define TESSERA_SERVICE_CALL_THREADS_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"

namespace tessera {

// First come, first served. The queue is unbounded: Admission bounds what enters it. Thread-safe.
class CallThreads {
 public:
  explicit CallThreads(int threads);

  // Runs what is still queued, then joins.
  ~CallThreads();

  void Start(std::function<void()> call);

 private:
  void Serve();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_CALL_THREADS_H_

// Decides whether a call may start: bounds the bytes and the calls in flight, and closes the door
// when the server stops.
#ifndef TESSERA_SERVICE_ADMISSION_H_
#define TESSERA_SERVICE_ADMISSION_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"

namespace tessera {

struct AdmissionLimits {
  int64_t max_bytes = int64_t{512} << 20;  // of requests in flight
  int64_t max_calls = 256;                 // in flight
};

// Thread-safe.
class Admission {
 public:
  // Room held by one call; gives it back when it ends. Must not outlive its Admission.
  class Ticket {
   public:
    Ticket(Ticket&& other) noexcept : admission_(other.admission_), bytes_(other.bytes_) {
      other.admission_ = nullptr;
    }
    Ticket& operator=(Ticket&&) = delete;
    ~Ticket() {
      if (admission_ != nullptr) admission_->Leave(bytes_);
    }

   private:
    friend class Admission;
    Ticket(Admission* admission, int64_t bytes) : admission_(admission), bytes_(bytes) {}

    Admission* admission_;
    int64_t bytes_;
  };

  explicit Admission(const AdmissionLimits& limits) : limits_(limits) {}

  // ResourceExhausted: no room now. Unavailable: closed. A call alone is never refused for its
  // size: that is the unary limit's business.
  absl::StatusOr<Ticket> Enter(int64_t bytes);

  // Refuses every later call.
  void Close();

  // True once nothing is in flight; false if that takes longer than `patience`.
  bool WaitUntilIdle(std::chrono::milliseconds patience);

 private:
  void Leave(int64_t bytes);

  const AdmissionLimits limits_;
  std::mutex mutex_;
  std::condition_variable idle_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t calls_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_ADMISSION_H_

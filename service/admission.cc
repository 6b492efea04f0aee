#include "service/admission.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tessera {

absl::StatusOr<Admission::Ticket> Admission::Enter(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) return absl::UnavailableError("the server is stopping; retry on another replica");
  if (calls_ >= limits_.max_calls) {
    return absl::ResourceExhaustedError(absl::StrCat(
        calls_, " calls are in flight, the most this server takes (--max-inflight-calls); retry"));
  }
  if (calls_ > 0 && bytes > limits_.max_bytes - bytes_) {
    return absl::ResourceExhaustedError(
        absl::StrCat("requests of ", bytes_, " bytes are in flight; with another ", bytes,
                     " they would exceed ", limits_.max_bytes, " (--max-inflight-bytes); retry"));
  }
  ++calls_;
  bytes_ += bytes;
  return Ticket(this, bytes);
}

void Admission::Close() {
  std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
}

bool Admission::WaitUntilIdle(std::chrono::milliseconds patience) {
  std::unique_lock<std::mutex> lock(mutex_);
  return idle_.wait_for(lock, patience, [this] { return calls_ == 0; });
}

void Admission::Leave(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  --calls_;
  bytes_ -= bytes;
  if (calls_ == 0) idle_.notify_all();
}

}  // namespace tessera

#include "service/watched_backend.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace tessera {

WatchedBackend::WatchedBackend(Backend* backend, std::function<void(const std::string&)> on_lost)
    : backend_(backend), on_lost_(std::move(on_lost)) {}

absl::Status WatchedBackend::Run(const Batch& batch, BatchResult* results) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (lost_) return Lost();
  }
  absl::Status status = backend_->Run(batch, results);
  if (status.ok() || backend_->healthy()) return status;
  bool first = false;
  absl::Status lost;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    first = !std::exchange(lost_, true);
    if (first) reason_ = std::string(status.message());
    lost = Lost();
  }
  if (first) on_lost_(std::string(status.message()));
  return lost;
}

absl::Status WatchedBackend::Lost() const {
  return absl::UnavailableError(absl::StrCat("the device is lost (", reason_,
                                             "); this server must be restarted, others may "
                                             "answer"));
}

}  // namespace tessera

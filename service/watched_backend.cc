#include "service/watched_backend.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace tessera {

WatchedBackend::WatchedBackend(Backend* backend, std::function<void(const std::string&)> on_lost)
    : backend_(backend), on_lost_(std::move(on_lost)) {}

absl::Status WatchedBackend::Run(const Batch& batch, BatchResult* results) {
  return Watched([&] { return backend_->Run(batch, results); });
}

absl::Status WatchedBackend::RunResiduals(const ResidualBatch& batch,
                                          absl::Span<ResidualResult> results) {
  return Watched([&] { return backend_->RunResiduals(batch, results); });
}

template <class Call>
absl::Status WatchedBackend::Watched(Call call) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (lost_) return Lost();
  }
  absl::Status status = call();
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

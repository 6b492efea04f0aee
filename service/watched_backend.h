// Passes batches on to a backend until its device is lost, and tells that once.
#ifndef TESSERA_SERVICE_WATCHED_BACKEND_H_
#define TESSERA_SERVICE_WATCHED_BACKEND_H_

#include <functional>
#include <mutex>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "kernels/backend.h"

namespace tessera {

// Thread-safe, as the backend is.
class WatchedBackend final : public Backend {
 public:
  // `backend` must outlive it. `on_lost` is called at most once, with what the backend said, on the
  // thread of the first call that fails on a lost device and before that call is answered.
  WatchedBackend(Backend* backend, std::function<void(const std::string&)> on_lost);

  std::string name() const override { return backend_->name(); }
  bool healthy() const override { return backend_->healthy(); }

  // Unavailable, with the backend's reason, for calls that were running when the device was lost
  // and for all later ones, which do not reach it.
  absl::Status Run(const Batch& batch, BatchResult* results) override;
  absl::Status RunResiduals(const ResidualBatch& batch,
                            absl::Span<ResidualResult> results) override;

 private:
  template <class Call>
  absl::Status Watched(Call call);
  absl::Status Lost() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Backend* const backend_;
  const std::function<void(const std::string&)> on_lost_;
  std::mutex mutex_;
  bool lost_ ABSL_GUARDED_BY(mutex_) = false;
  std::string reason_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_WATCHED_BACKEND_H_

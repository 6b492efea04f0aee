#include "kernels/cuda/cuda_backend.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "kernels/cpu/mutex.h"
#include "kernels/cuda/cuda_status.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/session.h"

namespace tessera {
namespace {

// Two batches at once: one's upload beside the other's kernels. A third waits.
constexpr int kMostSessions = 2;

class CudaBackend : public Backend {
 public:
  explicit CudaBackend(Device device) : device_(std::move(device)) {}

  std::string name() const override { return device_.Description(); }
  bool healthy() const override { return !lost_; }
  absl::Status Run(const Batch& batch, BatchResult* results) override;

 private:
  absl::StatusOr<std::unique_ptr<Session>> TakeSession();
  void GiveBack(std::unique_ptr<Session> session);
  absl::Status RunWindows(const Batch& batch, absl::Span<RowResult> results, Session& session);

  const Device device_;
  std::atomic<bool> lost_ = false;
  Mutex mutex_;
  Condition given_back_;
  int sessions_ ABSL_GUARDED_BY(mutex_) = 0;  // free or not
  std::vector<std::unique_ptr<Session>> free_ ABSL_GUARDED_BY(mutex_);
};

// Rows that are on the device together.
struct Window {
  size_t rows = 0;
  size_t bytes = 0;
};

// As many of the rows from `first` on as take no more than `most_bytes` together, at least one.
Window WindowFrom(const Batch& batch, absl::Span<const RowResult> results, size_t first,
                  size_t most_bytes) {
  Window window;
  for (size_t i = first; i < batch.rows.size(); ++i) {
    const size_t bytes = LogitsBytes(batch, batch.rows[i]) + PackedBytes(batch.rows[i], results[i]);
    if (window.rows > 0 && (bytes > most_bytes || window.bytes > most_bytes - bytes)) break;
    ++window.rows;
    window.bytes += bytes;
  }
  return window;
}

absl::Status CudaBackend::RunWindows(const Batch& batch, absl::Span<RowResult> results,
                                     Session& session) {
  for (size_t first = 0; first < batch.rows.size();) {
    const Window window = WindowFrom(batch, results, first, session.window_bytes());
    absl::Status status = session.Run(batch, batch.rows.subspan(first, window.rows),
                                      results.subspan(first, window.rows));
    if (status.code() == absl::StatusCode::kResourceExhausted && session.usable()) {
      session.ReleaseMemory();
      if (window.rows == 1) return status;
      session.set_window_bytes(window.bytes / 2);
      continue;
    }
    if (!status.ok()) return status;
    first += window.rows;
  }
  return absl::OkStatus();
}

absl::Status CudaBackend::Run(const Batch& batch, BatchResult* results) {
  results->Reset(batch);
  if (lost_) {
    return absl::UnavailableError(
        absl::StrCat(name(), " was lost by an earlier error; only a new process can use it again"));
  }
  if (batch.rows.empty()) return absl::OkStatus();
  absl::Status status = CudaStatus(cudaSetDevice(device_.ordinal), "cudaSetDevice");
  if (status.ok()) {
    absl::StatusOr<std::unique_ptr<Session>> session = TakeSession();
    status = session.status();
    if (status.ok()) {
      status = RunWindows(batch, results->rows(), **session);
      GiveBack(*std::move(session));
    }
  }
  if (SaysDeviceLost(status)) lost_ = true;
  return status;
}

absl::StatusOr<std::unique_ptr<Session>> CudaBackend::TakeSession() {
  {
    const MutexLock lock(mutex_);
    while (free_.empty() && sessions_ == kMostSessions) given_back_.Wait(mutex_);
    if (!free_.empty()) {
      std::unique_ptr<Session> session = std::move(free_.back());
      free_.pop_back();
      return session;
    }
    ++sessions_;
  }
  absl::StatusOr<std::unique_ptr<Session>> made = Session::Create(device_);
  if (!made.ok()) GiveBack(nullptr);
  return made;
}

void CudaBackend::GiveBack(std::unique_ptr<Session> session) {
  if (session != nullptr && !session->usable()) session.reset();
  {
    const MutexLock lock(mutex_);
    if (session == nullptr) {
      --sessions_;
    } else {
      free_.push_back(std::move(session));
    }
  }
  given_back_.NotifyAll();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Backend>> MakeCudaBackend(const CudaOptions& options) {
  absl::StatusOr<Device> device = OpenDevice(options);
  if (!device.ok()) return device.status();
  return std::make_unique<CudaBackend>(*std::move(device));
}

}  // namespace tessera

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
#include "kernels/no_longer_wanted.h"

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
  absl::Status RunResiduals(const ResidualBatch& batch,
                            absl::Span<ResidualResult> results) override;

 private:
  // call(session) with a session of our own, unless the device is lost or there is nothing to do.
  template <class Call>
  absl::Status InSession(bool nothing, Call call);
  absl::StatusOr<std::unique_ptr<Session>> TakeSession();
  void GiveBack(std::unique_ptr<Session> session);
  static absl::Status RunWindows(const Batch& batch, absl::Span<RowResult> results,
                                 Session& session);
  static absl::Status RunResidualWindows(const ResidualBatch& batch,
                                         absl::Span<ResidualResult> results, Session& session);

  const Device device_;
  std::atomic<bool> lost_ = false;
  Mutex mutex_;
  Condition given_back_;
  int sessions_ ABSL_GUARDED_BY(mutex_) = 0;  // free or not
  std::vector<std::unique_ptr<Session>> free_ ABSL_GUARDED_BY(mutex_);
};

// Entries that are on the device together.
struct Window {
  size_t rows = 0;
  size_t bytes = 0;
};

// As many of n entries from `first` on as take no more than `most_bytes` together, at least one.
template <class BytesAt>
Window WindowFrom(size_t first, size_t n, size_t most_bytes, BytesAt bytes_at) {
  Window window;
  for (size_t i = first; i < n; ++i) {
    const size_t bytes = bytes_at(i);
    if (window.rows > 0 && (bytes > most_bytes || window.bytes > most_bytes - bytes)) break;
    ++window.rows;
    window.bytes += bytes;
  }
  return window;
}

// Runs n entries in windows that take bytes_at(i) each; smaller ones where the device has no room.
template <class BytesAt, class Run>
absl::Status InWindows(size_t n, Session& session, BytesAt bytes_at, Run run) {
  for (size_t first = 0; first < n;) {
    const Window window = WindowFrom(first, n, session.window_bytes(), bytes_at);
    absl::Status status = run(first, window.rows);
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

size_t LogitsBytes(const ResidualBatch& batch, const ResidualInput& residual) {
  const auto bytes = [&](const LogitsView& logits, const RowInput* row) {
    Batch side;
    side.vocab_size = batch.vocab_size;
    side.logits = logits;
    return row == nullptr ? 0 : LogitsBytes(side, *row);
  };
  return bytes(batch.target, residual.target.row) + bytes(batch.draft, residual.draft.row);
}

absl::Status CudaBackend::RunWindows(const Batch& batch, absl::Span<RowResult> results,
                                     Session& session) {
  return InWindows(
      batch.rows.size(), session,
      [&](size_t i) {
        return LogitsBytes(batch, batch.rows[i]) + PackedBytes(batch.rows[i], results[i]);
      },
      [&](size_t first, size_t n) {
        return session.Run(batch, batch.rows.subspan(first, n), results.subspan(first, n));
      });
}

absl::Status CudaBackend::RunResidualWindows(const ResidualBatch& batch,
                                             absl::Span<ResidualResult> results, Session& session) {
  return InWindows(
      batch.residuals.size(), session,
      [&](size_t i) {
        return LogitsBytes(batch, batch.residuals[i]) + PackedBytes(batch.residuals[i]);
      },
      [&](size_t first, size_t n) {
        if (batch.still_wanted && !batch.still_wanted()) return NoLongerWanted();
        return session.RunResiduals(batch, batch.residuals.subspan(first, n),
                                    results.subspan(first, n));
      });
}

absl::Status CudaBackend::Run(const Batch& batch, BatchResult* results) {
  results->Reset(batch);
  return InSession(batch.rows.empty(),
                   [&](Session& session) { return RunWindows(batch, results->rows(), session); });
}

absl::Status CudaBackend::RunResiduals(const ResidualBatch& batch,
                                       absl::Span<ResidualResult> results) {
  return InSession(batch.residuals.empty(),
                   [&](Session& session) { return RunResidualWindows(batch, results, session); });
}

template <class Call>
absl::Status CudaBackend::InSession(bool nothing, Call call) {
  if (lost_) {
    return absl::UnavailableError(
        absl::StrCat(name(), " was lost by an earlier error; only a new process can use it again"));
  }
  if (nothing) return absl::OkStatus();
  absl::Status status = CudaStatus(cudaSetDevice(device_.ordinal), "cudaSetDevice");
  if (status.ok()) {
    absl::StatusOr<std::unique_ptr<Session>> session = TakeSession();
    status = session.status();
    if (status.ok()) {
      status = call(**session);
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

#include "tests/cuda/scheduled_backend.h"

#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/simt/fake_device.h"
#include "tests/simt/options.h"

namespace tessera::testing {
namespace {

class ScheduledBackend : public Backend {
 public:
  ScheduledBackend(std::unique_ptr<Backend> backend, uint64_t seed)
      : backend_(std::move(backend)), seed_(seed) {}

  std::string name() const override { return backend_->name(); }
  bool healthy() const override { return backend_->healthy(); }

  absl::Status Run(const Batch& batch, BatchResult* results) override {
    return Scheduled([&] { return backend_->Run(batch, results); });
  }

  absl::Status RunResiduals(const ResidualBatch& batch,
                            absl::Span<ResidualResult> results) override {
    return Scheduled([&] { return backend_->RunResiduals(batch, results); });
  }

 private:
  // Each call by a schedule of its own.
  template <class Call>
  absl::Status Scheduled(Call call) {
    static std::mutex one_at_a_time;
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    simt::emulator::Options().seed = seed_++;
    const absl::Status status = call();
    if (status.ok()) return status;
    return {status.code(),
            absl::StrCat(status.message(), "; seed ", seed_ - 1, ": ", simt::KernelComplaint())};
  }

  const std::unique_ptr<Backend> backend_;
  uint64_t seed_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Backend>> MakeScheduledBackend(const CudaOptions& options,
                                                              uint64_t seed) {
  absl::StatusOr<std::unique_ptr<Backend>> backend = MakeCudaBackend(options);
  if (!backend.ok()) return backend.status();
  return std::make_unique<ScheduledBackend>(*std::move(backend), seed);
}

std::string EmulatedName(const CudaOptions& options) {
  const simt::FakeDevice device;
  return absl::StrCat("cuda/", device.name, " sm_", device.sm_major, device.sm_minor, " ",
                      options.kernel, " x", options.blocks_per_row);
}

}  // namespace tessera::testing

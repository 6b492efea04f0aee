// A backend whose device can be lost, as a test wants: sound until then, and failing ever after.
#ifndef TESSERA_TESTS_SERVICE_LOSABLE_BACKEND_H_
#define TESSERA_TESTS_SERVICE_LOSABLE_BACKEND_H_

#include <atomic>
#include <memory>
#include <string>

#include "kernels/backend.h"

namespace tessera {

class LosableBackend : public Backend {
 public:
  std::string name() const override { return "losable"; }
  bool healthy() const override { return !lost; }

  absl::Status Run(const Batch& batch, BatchResult* results) override {
    const absl::Status failure = Start();
    return failure.ok() ? scalar_->Run(batch, results) : failure;
  }

  absl::Status RunResiduals(const ResidualBatch& batch,
                            absl::Span<ResidualResult> results) override {
    const absl::Status failure = Start();
    return failure.ok() ? scalar_->RunResiduals(batch, results) : failure;
  }

  std::atomic<bool> lost{false};
  std::atomic<bool> full{false};  // fails, but may recover
  std::atomic<int> runs{0};

 private:
  absl::Status Start() {
    ++runs;
    if (lost) return absl::InternalError("cudaErrorIllegalAddress");
    if (full) return absl::ResourceExhaustedError("cudaErrorMemoryAllocation");
    return absl::OkStatus();
  }

  const std::unique_ptr<Backend> scalar_ = MakeScalarBackend();
};

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_LOSABLE_BACKEND_H_

#include "kernels/split_backend.h"

#include <string>
#include <utility>

namespace tessera {
namespace {

class Split final : public Backend {
 public:
  Split(std::unique_ptr<Backend> rows, std::unique_ptr<Backend> residuals)
      : rows_(std::move(rows)), residuals_(std::move(residuals)) {}

  std::string name() const override { return rows_->name(); }
  bool healthy() const override { return rows_->healthy(); }

  absl::Status Run(const Batch& batch, BatchResult* results) override {
    return rows_->Run(batch, results);
  }
  absl::Status RunResiduals(const ResidualBatch& batch,
                            absl::Span<ResidualResult> results) override {
    return residuals_->RunResiduals(batch, results);
  }

 private:
  const std::unique_ptr<Backend> rows_;
  const std::unique_ptr<Backend> residuals_;
};

}  // namespace

std::unique_ptr<Backend> SplitBackend(std::unique_ptr<Backend> rows,
                                      std::unique_ptr<Backend> residuals) {
  return std::make_unique<Split>(std::move(rows), std::move(residuals));
}

}  // namespace tessera

#include "kernels/backend.h"
#include "kernels/cpu/batch_rows.h"
#include "kernels/cpu/float_environment.h"
#include "kernels/cpu/row_memory.h"
#include "kernels/no_longer_wanted.h"
#include "kernels/scalar/scalar_passes.h"

namespace tessera {
namespace {

class ScalarBackend : public Backend {
 public:
  std::string name() const override { return "scalar"; }

  absl::Status Run(const Batch& batch, BatchResult* results) override {
    const DefaultFloatEnvironment environment;
    static thread_local RowMemory memory;
    results->Reset(batch);
    RowScratch& scratch = memory.ForColumns(static_cast<uint32_t>(batch.vocab_size));
    for (size_t i = 0; i < batch.rows.size(); ++i) {
      if (batch.still_wanted && !batch.still_wanted()) return NoLongerWanted();
      RunRow<ScalarPasses>(batch, i, scratch, &results->rows()[i]);
    }
    return absl::OkStatus();
  }

  absl::Status RunResiduals(const ResidualBatch& batch,
                            absl::Span<ResidualResult> results) override {
    const DefaultFloatEnvironment environment;
    static thread_local RowMemory target;
    static thread_local RowMemory draft;
    const auto columns = static_cast<uint32_t>(batch.vocab_size);
    for (size_t i = 0; i < batch.residuals.size(); ++i) {
      if (batch.still_wanted && !batch.still_wanted()) return NoLongerWanted();
      const ResidualScratch scratch{&target.ForColumns(columns), &draft.ForColumns(columns)};
      RunResidual<ScalarPasses>(batch, i, scratch, &results[i]);
    }
    return absl::OkStatus();
  }
};

}  // namespace

std::unique_ptr<Backend> MakeScalarBackend() { return std::make_unique<ScalarBackend>(); }

}  // namespace tessera

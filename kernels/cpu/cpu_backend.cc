#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/backend.h"
#include "kernels/cpu/batch_rows.h"
#include "kernels/cpu/float_environment.h"
#include "kernels/cpu/row_memory.h"
#include "kernels/cpu/simd_rows.h"
#include "kernels/cpu/thread_pool.h"
#include "kernels/no_longer_wanted.h"

namespace tessera {
namespace {

class CpuBackend : public Backend {
 public:
  CpuBackend(const SimdTarget& target, int threads) : target_(target), pool_(threads) {}

  std::string name() const override { return absl::StrCat("cpu/", target_.name); }

  absl::Status Run(const Batch& batch, BatchResult* results) override {
    results->Reset(batch);
    const auto columns = static_cast<uint32_t>(batch.vocab_size);
    const absl::Span<RowResult> rows = results->rows();
    return ForEachWanted(batch.rows.size(), batch.still_wanted, [&](size_t i) {
      static thread_local RowMemory memory;
      target_.run_row(batch, i, memory.ForColumns(columns), &rows[i]);
    });
  }

  absl::Status RunResiduals(const ResidualBatch& batch,
                            absl::Span<ResidualResult> results) override {
    const auto columns = static_cast<uint32_t>(batch.vocab_size);
    return ForEachWanted(batch.residuals.size(), batch.still_wanted, [&](size_t i) {
      static thread_local RowMemory target;
      static thread_local RowMemory draft;
      const ResidualScratch scratch{&target.ForColumns(columns), &draft.ForColumns(columns)};
      target_.run_residual(batch, i, scratch, &results[i]);
    });
  }

 private:
  // run(i) for i below n, on the pool's threads; stops early once still_wanted says no.
  template <class Run>
  absl::Status ForEachWanted(size_t n, const std::function<bool()>& still_wanted, Run run) {
    std::atomic<bool> stopped = false;
    pool_.ParallelFor(n, [&](size_t i) {
      if (stopped || (still_wanted && !still_wanted())) {
        stopped = true;
        return;
      }
      const DefaultFloatEnvironment environment;
      run(i);
    });
    return stopped ? NoLongerWanted() : absl::OkStatus();
  }

  const SimdTarget target_;
  ThreadPool pool_;
};

}  // namespace

std::vector<std::string> CpuTargets() {
  std::vector<std::string> names;
  for (const SimdTarget& target : RunnableSimdTargets()) names.emplace_back(target.name);
  return names;
}

absl::StatusOr<std::unique_ptr<Backend>> MakeCpuBackend(const CpuOptions& options) {
  if (options.threads < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("threads is ", options.threads, "; it must be at least 0 (0: all available)"));
  }
  const int threads = options.threads == 0 ? AvailableCpus() : options.threads;
  for (const SimdTarget& target : RunnableSimdTargets()) {
    if (options.target.empty() || options.target == target.name) {
      return std::make_unique<CpuBackend>(target, threads);
    }
  }
  return absl::InvalidArgumentError(absl::StrCat("CPU target is \"", options.target,
                                                 "\"; this machine runs ",
                                                 absl::StrJoin(CpuTargets(), ", ")));
}

}  // namespace tessera

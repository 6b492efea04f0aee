// Runs batches of rows. The one virtual call of the system, made once per batch.
#ifndef TESSERA_KERNELS_BACKEND_H_
#define TESSERA_KERNELS_BACKEND_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "kernels/plan.h"
#include "kernels/residual_input.h"
#include "kernels/row_input.h"
#include "kernels/row_result.h"
#include "kernels/types.h"

namespace tessera {

struct Batch {
  LogitsView logits;
  int64_t vocab_size = 0;  // in [1, logits.columns]; columns beyond it are padding
  absl::Span<const RowInput> rows;

  // What guidance_row counts in, with the dtype and the columns of `logits`; or nothing.
  LogitsView guidance = {};

  // Asked before each row, from any thread; null is always. Once it says no, Run stops early.
  std::function<bool()> still_wanted = nullptr;
};

// Residuals of one call. What the rows of each matrix are: target.row->logits_row counts in
// `target`, draft.row->logits_row in `draft`, which may have another dtype; guidance as in Batch,
// for target rows alone.
struct ResidualBatch {
  LogitsView target;  // what target.row->logits_row counts in
  LogitsView draft;   // likewise for draft rows; any dtype
  LogitsView guidance;
  int64_t vocab_size = 0;
  absl::Span<const ResidualInput> residuals;
  std::function<bool()> still_wanted = nullptr;
};

// The results of one batch and the memory they live in: one allocation per kind, none per row.
class BatchResult {
 public:
  // Sizes everything for `batch`. Reusing an object reuses its memory.
  void Reset(const Batch& batch);

  absl::Span<RowResult> rows() { return absl::MakeSpan(rows_); }
  absl::Span<const RowResult> rows() const { return rows_; }

 private:
  std::vector<RowResult> rows_;
  std::vector<TokenId> tokens_;
  std::vector<TokenScore> scores_;
  std::vector<RankedToken> ranked_;
  std::vector<uint64_t> law_weights_;
  std::vector<WeightedId> law_ids_;
};

// Brings the ids of each row's law into ascending order.
void SortLawIds(absl::Span<RowResult> rows);

class Backend {
 public:
  virtual ~Backend() = default;

  // "scalar", "cpu/AVX3", ...: what runs, for people and for tests that forced it.
  virtual std::string name() const = 0;

  // Fills `results` (which it resets) for every row of `batch`. A bad row fails alone, through its
  // outcome; the status speaks of the machine, or is Cancelled when still_wanted said no.
  // Thread-safe. The same row gives the same bytes whatever the batch around it, the backend and
  // its number of threads.
  virtual absl::Status Run(const Batch& batch, BatchResult* results) = 0;

  // Sums residuals, and draws from them. Reads each target and each draft row once. Thread-safe;
  // errors as Run's. results is [residuals].
  virtual absl::Status RunResiduals(const ResidualBatch& batch,
                                    absl::Span<ResidualResult> results) = 0;

  // False once the device is lost; it never recovers in this process.
  virtual bool healthy() const { return true; }
};

// Plain loops on the calling thread: the readable definition. Slow.
std::unique_ptr<Backend> MakeScalarBackend();

struct CpuOptions {
  int threads = 0;     // 0: as many as the cgroup's CPU quota allows
  std::string target;  // "AVX3", "AVX2", "NEON", "SCALAR", ...; empty: the best that runs here
};

// SIMD over a pool of threads. InvalidArgument when `target` is not compiled in or does not run on
// this machine; the message lists those that do.
absl::StatusOr<std::unique_ptr<Backend>> MakeCpuBackend(const CpuOptions& options);

// The targets that MakeCpuBackend accepts on this machine, best first.
std::vector<std::string> CpuTargets();

// CPUs that this process may use: affinity and the cgroup's quota (v1 or v2), at least 1.
int AvailableCpus();

// The version of the numerics contract: any change of a result's bits raises it.
inline constexpr uint32_t kNumericsVersion = 1;

}  // namespace tessera

#endif  // TESSERA_KERNELS_BACKEND_H_

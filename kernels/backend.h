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
#include "kernels/types.h"

namespace tessera {

struct Bias {
  TokenId id;
  float value;  // finite or -inf (which bans the id)
};

// How often an id stands in the row's history.
struct IdCount {
  TokenId id;
  uint32_t prompt_count;
  uint32_t output_count;
};

inline constexpr uint32_t kMaxSamples = 128;
inline constexpr uint32_t kMaxTopLogprobs = 128;
inline constexpr uint32_t kMaxScoredIds = 1024;

// One row of a batch. Whoever builds it has checked it: `plan` is set, every id is in
// [0, vocab_size), ids in `bias` are distinct and so are those in `counts`, floats are not NaN,
// counts are at most kMaxSamples and so on. Spans must outlive the call to Run.
struct RowInput {
  const Plan* plan = nullptr;
  int64_t logits_row = 0;  // in [0, logits.rows)

  // The random words of the row are a function of these and of the sample's number alone.
  uint64_t seed = 0;
  uint32_t position = 0;  // index of the token to be drawn in its sequence
  uint32_t stream = 0;    // 0 for ordinary sampling
  uint32_t samples = 1;   // independent draws from the row's law; 0 only scores

  // Masks. They commute and apply before everything else.
  absl::Span<const uint32_t> grammar;  // bit v % 32 of word v / 32; empty: no grammar. Ids
                                       // beyond the last word are forbidden.
  bool has_allowed = false;            // only ids in `allowed` stay
  absl::Span<const TokenId> allowed;   // any order, repeats allowed
  absl::Span<const TokenId> banned;    // likewise; minimum-length stop ids belong here

  // What the plan's edits read.
  absl::Span<const Bias> bias;
  absl::Span<const IdCount> counts;

  // What to report beside tokens.
  uint8_t logprob_modes = 0;  // bit 1 << LogprobMode
  uint8_t entropy_modes = 0;  // likewise, a subset: also the entropy of that law, in nats
  uint32_t top_logprobs = 0;  // per requested mode
  absl::Span<const TokenId> score_ids;
  bool want_support_size = false;
};

struct TokenScore {
  float logprob;  // -inf outside the law's support; NaN in a raw mode that NaN or +inf spoils
  uint32_t rank;  // 1 + number of ids in the support with a strictly larger logit; 0 outside it
};

struct RankedToken {
  TokenId id;
  float logprob;
};

// One mode's report. Empty when the mode was not requested.
struct LogprobReport {
  absl::Span<TokenScore> sampled;  // [samples]
  absl::Span<TokenScore> scored;   // [score_ids]
  absl::Span<RankedToken> top;     // [min(top_logprobs, support size)], larger logit first
  float entropy = 0;               // nats; 0 unless asked for
};

struct RowResult {
  Outcome outcome = Outcome::kOk;
  bool raw_invalid = false;  // a received logit under a mask is NaN or +inf: raw modes are NaN
  TokenId invalid_id = -1;   // kInvalidLogits: the first offending id
  float invalid_logit = 0;   // and its logit after edits: NaN or +inf
  uint32_t support_size = 0;
  absl::Span<TokenId> tokens;  // [samples]; -1 unless kOk
  LogprobReport reports[kLogprobModes];
};

struct Batch {
  LogitsView logits;
  int64_t vocab_size = 0;  // in [1, logits.columns]; columns beyond it are padding
  absl::Span<const RowInput> rows;

  // Asked before each row, from any thread; null is always. Once it says no, Run stops early.
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
};

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

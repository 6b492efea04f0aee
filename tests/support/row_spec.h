// A row as a test writes it: its logits, its chain and everything a RowInput points to, owned.
#ifndef TESSERA_TESTS_SUPPORT_ROW_SPEC_H_
#define TESSERA_TESTS_SUPPORT_ROW_SPEC_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "kernels/backend.h"
#include "kernels/chain.h"
#include "kernels/history_edits.h"
#include "tests/support/logits_matrix.h"

namespace tessera::testing {

struct RowSpec {
  std::vector<float> logits;  // the whole row, padding included
  Chain chain;
  uint64_t seed = 0;
  uint32_t position = 0;
  uint32_t stream = 0;
  uint32_t samples = 1;
  std::vector<uint64_t> words;  // [samples], in place of Philox; or empty
  std::vector<uint32_t> grammar;
  bool has_allowed = false;
  std::vector<TokenId> allowed;
  std::vector<TokenId> banned;
  std::vector<Bias> bias;
  std::vector<IdCount> counts;
  std::vector<TokenId> prompt;  // the past that history stages read, oldest first
  std::vector<TokenId> output;
  std::vector<float> guidance;  // as long as logits; or empty
  bool has_state = false;
  double state[2] = {0, 0};
  uint8_t logprob_modes = 0;
  uint8_t entropy_modes = 0;
  uint32_t top_logprobs = 0;
  std::vector<TokenId> score_ids;
  bool ties_against = false;
  bool want_support_size = true;
  bool want_law = false;
  uint32_t max_law_ids = 0;

  // Views of this object. What follows from prompt and output is not among them, nor is guidance.
  RowInput Input(const Plan* plan, int64_t logits_row) const;
};

inline constexpr uint8_t kAllModes = (1 << kLogprobModes) - 1;
constexpr uint8_t Bit(LogprobMode mode) { return uint8_t{1} << static_cast<int>(mode); }

// Everything in short, to reproduce a failure from a log.
std::string Describe(const RowSpec& row);
std::string Describe(const Chain& chain);

// Several rows made runnable. Every chain must compile.
class SpecBatch {
 public:
  SpecBatch(std::vector<RowSpec> rows, DType dtype, int64_t vocab_size, Placement placement = {});

  SpecBatch(const SpecBatch&) = delete;
  SpecBatch& operator=(const SpecBatch&) = delete;

  const Batch& batch() const { return batch_; }

 private:
  std::vector<RowSpec> rows_;
  LogitsMatrix matrix_;
  std::optional<LogitsMatrix> guidance_;
  std::deque<Plan> plans_;
  std::deque<HistoryEdits> past_;  // of each row
  std::vector<RowInput> inputs_;
  Batch batch_;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_ROW_SPEC_H_

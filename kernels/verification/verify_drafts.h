// Accepts or rejects the drafts of a batch of sequences, and draws the token after them, on any
// backend. The laws are those of target and draft after their own chains.
#ifndef TESSERA_KERNELS_VERIFICATION_VERIFY_DRAFTS_H_
#define TESSERA_KERNELS_VERIFICATION_VERIFY_DRAFTS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kernels/backend.h"
#include "kernels/drawn_law.h"
#include "kernels/math/wide.h"
#include "kernels/row_input.h"
#include "kernels/types.h"
#include "kernels/verification/decision.h"
#include "kernels/verification/verdict.h"

namespace tessera {

// The rules are in kernels/verification/methods.h and docs/semantics.md.
enum class VerificationMethod : uint8_t {
  kToken,  // chains only
  kBlock,  // chains only
  kTree,   // siblings, i.i.d. or without replacement
  kTraversal,
  kTargetOnly,  // reads no draft law
  kTypical,     // lossy
};

// Whether what comes out follows the target's law.
bool IsLossless(VerificationMethod method);

// Where the drafts' laws come from.
enum class DraftLaw : uint8_t {
  kOneHot,  // each draft was certain
  kLogits,  // rows of the batch's draft logits
  kSparse,  // lists
};

inline constexpr uint32_t kMaxDraftNodes = 256;

// One sequence. *Position* 0 is its root, position 1 + j follows node j; an expanded position has
// children, which share its draft law. Whoever builds it has checked it: nodes at most
// kMaxDraftNodes, ids in [0, vocab_size), parents earlier nodes or -1, no plan that rewrites, is
// partial or stateful, or draws otherwise than in id order.
struct DraftedSequence {
  VerificationMethod method = VerificationMethod::kToken;
  bool without_replacement = false;
  double typical_epsilon = 0;  // kTypical, in [0, 1]
  double typical_alpha = 0;    // kTypical, finite, >= 0

  absl::Span<const TokenId> ids;      // [nodes] in the order they were drafted
  absl::Span<const int32_t> parents;  // [nodes]; empty: a chain

  // [nodes + 1], by position: plan, masks, history, logits_row. What they report and draw is set
  // here, not there.
  absl::Span<const RowInput> target;

  DraftLaw law = DraftLaw::kOneHot;
  absl::Span<const RowInput> draft;                       // kLogits: [expanded positions]
  absl::Span<const absl::Span<const WeightedId>> sparse;  // kSparse: [expanded positions], each
                                                          // as ResidualInput.sparse, not all 0

  // The random words of the sequence are a function of these and of node and position numbers.
  uint64_t seed = 0;
  uint32_t position = 0;  // of the first draft in its sequence
  uint32_t stream = 0;
};

struct SequenceResult {
  Outcome outcome = Outcome::kOk;

  // Otherwise the row that failed first: of the target by position, then of the draft.
  bool failed_draft = false;
  uint32_t failed_position = 0;
  TokenId invalid_id = -1;  // as in RowResult
  float invalid_logit = 0;

  std::vector<TokenId> tokens;  // the accepted drafts and one token more; none unless kOk
  Verdict verdict;              // its token is set, the bonus token included

  // How it came about, for explanations: p and q of each node's token, [nodes] (q is 1 where
  // drafts are one-hot), and what the last token was drawn from. Bonus tokens are drawn from the
  // target's law itself: nothing excluded, b = 0, total = W_p.
  std::vector<double> target_probabilities;
  std::vector<double> draft_probabilities;
  ResidualAsk last_draw;
  U128 last_total;
};

struct VerificationBatch {
  LogitsView target;
  LogitsView draft;  // no rows where no sequence has draft logits
  LogitsView guidance;
  int64_t vocab_size = 0;
  absl::Span<const DraftedSequence> sequences;
  std::function<bool()> still_wanted = nullptr;
};

// Fills `results`, [sequences]. A sequence with a bad row fails alone. The same sequence gives the
// same bytes whatever the batch around it and the backend. Errors are those of the backend.
absl::Status VerifyDrafts(const VerificationBatch& batch, Backend& backend,
                          std::vector<SequenceResult>* results);

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_VERIFY_DRAFTS_H_

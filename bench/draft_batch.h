// Speculative steps to measure: 64 sequences of 4 drafts over recorded rows.
#ifndef TESSERA_BENCH_DRAFT_BATCH_H_
#define TESSERA_BENCH_DRAFT_BATCH_H_

#include <cstdint>
#include <vector>

#include "bench/rows.h"
#include "kernels/backend.h"
#include "kernels/verification/verify_drafts.h"

namespace tessera::bench {

inline constexpr int kSequences = 64;
inline constexpr int kDrafts = 4;
inline constexpr int kTargetRows = kSequences * (kDrafts + 1);
inline constexpr int kDraftRows = kSequences * kDrafts;

// The rows of all sequences: target rows of a sequence one after the other, and the drafts' laws.
struct DraftRowsMemory {
  Rows target;     // [kTargetRows]
  Rows same;       // [kDraftRows] the target's law of each draft: every draft is accepted
  Rows perturbed;  // the same logits with noise: p and q overlap by some 80 %
};

DraftRowsMemory MakeDraftRows(int64_t columns);

enum class Ending : uint8_t {
  kAllAccepted,   // the random words accept every draft
  kLastRejected,  // and here reject the last one, whenever its chance leaves room for it
};

// A batch, and the memory its spans point to.
class DraftBatch {
 public:
  // Drafts are drawn from the draft law by `backend`; one-hot ones from the target's. Seeds are
  // chosen for `ending`. `rows` and `plan` must outlive it.
  DraftBatch(VerificationMethod method, DraftLaw law, Ending ending, const DraftRowsMemory& rows,
             const Rows& draft, const Plan& plan, Backend& backend);

  const VerificationBatch& batch() const { return batch_; }

 private:
  void DrawDrafts(const Rows& from, bool likeliest, const Plan& plan, Backend& backend);
  uint64_t SeedFor(int sequence, Ending ending) const;

  std::vector<RowInput> target_;                      // [kTargetRows]
  std::vector<RowInput> draft_;                       // [kDraftRows]
  std::vector<TokenId> ids_;                          // likewise
  std::vector<double> probabilities_;                 // of them, in the law they were drawn from
  std::vector<std::vector<WeightedId>> lists_;        // likewise, of sparse drafts
  std::vector<absl::Span<const WeightedId>> sparse_;  // likewise
  std::vector<DraftedSequence> sequences_;
  VerificationBatch batch_;
};

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_DRAFT_BATCH_H_

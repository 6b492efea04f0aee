// The rows that a batch of sequences asks a backend for, before anything is decided.
#ifndef TESSERA_KERNELS_VERIFICATION_DRAFT_ROWS_H_
#define TESSERA_KERNELS_VERIFICATION_DRAFT_ROWS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/backend.h"
#include "kernels/verification/draft_tree.h"
#include "kernels/verification/verify_drafts.h"

namespace tessera {

// Where a sequence's rows stand among those of all.
struct SequenceRows {
  uint32_t first_target = 0;                // position 0
  uint32_t first_draft = 0;                 // of the first expanded position
  std::vector<uint32_t> draft_of_position;  // [positions]: place among the expanded ones
};

class DraftRows {
 public:
  // Lays out the rows and the shape of each sequence's tree. `sequences` must outlive it.
  explicit DraftRows(absl::Span<const DraftedSequence> sequences);

  absl::Span<const RowInput> target() const { return target_; }
  absl::Span<const RowInput> draft() const { return draft_; }
  const SequenceRows& of(size_t sequence) const { return rows_[sequence]; }

  // Fills in what the rows' laws say; false where one of the sequence's rows failed, which `result`
  // then says.
  bool Weigh(size_t sequence, const BatchResult& target, const BatchResult& draft,
             SequenceResult* result);
  const DraftTree& tree(size_t sequence) const { return trees_[sequence]; }

 private:
  void Shape(const DraftedSequence& sequence, DraftTree* tree);
  void AddRows(const DraftedSequence& sequence, const DraftTree& tree);
  bool TakeTarget(const DraftedSequence& sequence, const SequenceRows& rows,
                  absl::Span<const RowResult> target, DraftTree* tree, SequenceResult* result);
  bool TakeDraft(const DraftedSequence& sequence, const SequenceRows& rows,
                 absl::Span<const RowResult> draft, DraftTree* tree, SequenceResult* result);

  absl::Span<const DraftedSequence> sequences_;
  std::vector<DraftTree> trees_;
  std::vector<SequenceRows> rows_;
  std::vector<RowInput> target_;
  std::vector<RowInput> draft_;
  std::vector<std::unique_ptr<TokenId[]>> ids_;     // of children, by sequence, positions in order
  std::vector<std::unique_ptr<uint64_t[]>> words_;  // of bonus tokens, by sequence and position
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_DRAFT_ROWS_H_

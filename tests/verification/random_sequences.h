// Random drafts for tests that run whole verifications: rows of any dtype with chains of their own
// on both sides, drafts of every kind of law, chains and trees.
#ifndef TESSERA_TESTS_VERIFICATION_RANDOM_SEQUENCES_H_
#define TESSERA_TESTS_VERIFICATION_RANDOM_SEQUENCES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "kernels/verification/verify_drafts.h"
#include "tests/support/exact_law.h"
#include "tests/support/random.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {

inline constexpr VerificationMethod kAllMethods[] = {
    VerificationMethod::kToken,     VerificationMethod::kBlock,      VerificationMethod::kTree,
    VerificationMethod::kTraversal, VerificationMethod::kTargetOnly, VerificationMethod::kTypical};

bool TakesTrees(VerificationMethod method);

class RandomSequences {
 public:
  // `methods` to choose from. A sequence has 6 drafts at most.
  RandomSequences(Random& random, int64_t vocab_size, int count,
                  absl::Span<const VerificationMethod> methods);

  RandomSequences(const RandomSequences&) = delete;
  RandomSequences& operator=(const RandomSequences&) = delete;

  VerificationBatch batch() const;
  absl::Span<const DraftedSequence> sequences() const { return sequences_; }

  // What the oracle says that ids weigh after a target row's chain, and in a draft law, by id.
  std::vector<uint64_t> TargetWeights(size_t sequence, size_t position) const;
  std::vector<uint64_t> DraftWeights(size_t sequence, size_t expanded) const;

 private:
  struct Spec {
    DraftedSequence sequence;
    std::vector<TokenId> ids;
    std::vector<int32_t> parents;
    size_t first_target = 0;
    size_t first_draft = 0;
    size_t expanded = 0;  // positions, each with a draft row
  };

  void Add(Random& random, VerificationMethod method);
  void AddTarget(Random& random);
  void AddDraft(Random& random, size_t target);
  void Point();

  const int64_t vocab_size_;
  const DType target_dtype_;
  const DType draft_dtype_;
  std::vector<RowSpec> target_rows_;
  std::vector<RowSpec> draft_rows_;  // drafts that are lists have one too, that the list is made of
  std::vector<oracle::ExactLaw> target_laws_;
  std::vector<oracle::ExactLaw> draft_laws_;
  std::vector<std::vector<WeightedId>> lists_;                // as draft_rows_
  std::vector<absl::Span<const WeightedId>> views_of_lists_;  // as draft_rows_
  std::vector<Spec> specs_;
  std::optional<SpecBatch> target_;
  std::optional<SpecBatch> draft_;
  std::vector<DraftedSequence> sequences_;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_VERIFICATION_RANDOM_SEQUENCES_H_

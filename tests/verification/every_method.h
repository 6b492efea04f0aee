// One chain of drafts, verified by every method.
#ifndef TESSERA_TESTS_VERIFICATION_EVERY_METHOD_H_
#define TESSERA_TESTS_VERIFICATION_EVERY_METHOD_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/verification/verify_drafts.h"
#include "tests/support/random_rows.h"
#include "tests/support/row_spec.h"
#include "tests/verification/random_sequences.h"

namespace tessera::testing {

inline constexpr int64_t kVocabSize = 50;

inline RowSpec NormalRow(Random& random, std::vector<Stage> stages,
                         int64_t vocab_size = kVocabSize) {
  RowSpec row;
  row.logits = RandomLogits(random, Shape::kNormal, vocab_size, DType::kFloat32);
  row.chain.stages = std::move(stages);
  return row;
}

// Sequences over the same rows, one of each method: a chain of `ids`, so every method takes it.
struct Chains {
  Chains(const std::vector<RowSpec>& targets, const std::vector<RowSpec>& drafts,
         const std::vector<TokenId>& drafted)
      : vocab_size(static_cast<int64_t>(targets[0].logits.size())),
        target(targets, DType::kFloat32, vocab_size),
        draft(drafts, DType::kFloat32, vocab_size),
        ids(drafted) {
    for (VerificationMethod method : kAllMethods) {
      DraftedSequence& sequence = sequences.emplace_back();
      sequence.method = method;
      sequence.typical_epsilon = 0.3;
      sequence.typical_alpha = 0.5;
      sequence.ids = ids;
      sequence.target = target.batch().rows.first(ids.size() + 1);
      sequence.law = DraftLaw::kLogits;
      sequence.draft = draft.batch().rows.first(ids.size());
      sequence.seed = 42;
      sequence.position = 17;
      sequence.stream = 3;
    }
  }

  VerificationBatch batch() const {
    VerificationBatch batch;
    batch.target = target.batch().logits;
    batch.draft = draft.batch().logits;
    batch.vocab_size = vocab_size;
    batch.sequences = sequences;
    return batch;
  }

  int64_t vocab_size;
  SpecBatch target;
  SpecBatch draft;
  std::vector<TokenId> ids;
  std::vector<DraftedSequence> sequences;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_VERIFICATION_EVERY_METHOD_H_

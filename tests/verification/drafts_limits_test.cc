// VerifyDrafts at its limits, on every executor: rows that fail, and the largest trees.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/backends.h"
#include "tests/verification/every_method.h"
#include "tests/verification/verified.h"

namespace tessera::testing {
namespace {

// A batch in which every second sequence reads a row that cannot be sampled.
class BadRow {
 public:
  explicit BadRow(bool in_draft) : in_draft_(in_draft) {
    Random random(5);
    for (int i = 0; i < 6; ++i) {
      targets_.push_back(NormalRow(random, {}));
      drafts_.push_back(NormalRow(random, {TopK{30}}));
    }
    (in_draft ? drafts_ : targets_)[4].logits[9] = std::nanf("");  // position 1 of rows 3 to 5
  }

  void Judge(Backend& backend) const {
    Chains chains(targets_, drafts_, {1, 2});
    const std::vector<SequenceResult> good = Verified(chains.batch(), backend);
    std::vector<DraftedSequence> mixed;
    for (const DraftedSequence& sequence : chains.sequences) {
      mixed.push_back(sequence);
      mixed.push_back(sequence);
      mixed.back().target = chains.target.batch().rows.subspan(3, 3);
      mixed.back().draft = chains.draft.batch().rows.subspan(3, 2);
    }
    chains.sequences = mixed;
    const std::vector<SequenceResult> results = Verified(chains.batch(), backend);
    for (size_t i = 0; i < good.size(); ++i) {
      EXPECT_EQ(good[i].outcome, Outcome::kOk);
      EXPECT_EQ(TextOf(results[2 * i]), TextOf(good[i])) << "method " << i;
      ExpectFailure(results[2 * i + 1]);
    }
  }

 private:
  void ExpectFailure(const SequenceResult& result) const {
    EXPECT_EQ(result.outcome, Outcome::kInvalidLogits);
    EXPECT_EQ(result.failed_draft, in_draft_);
    EXPECT_EQ(result.failed_position, 1u);
    EXPECT_EQ(result.invalid_id, 9);
    EXPECT_TRUE(std::isnan(result.invalid_logit));
    EXPECT_TRUE(result.tokens.empty());
  }

  const bool in_draft_;
  std::vector<RowSpec> targets_;
  std::vector<RowSpec> drafts_;
};

TEST(DraftsLimits, ABadRowFailsItsSequenceAlone) {
  for (const BackendSpec& spec : NextBackends(3)) {
    SCOPED_TRACE(Describe(spec));
    BadRow(false).Judge(SharedBackend(spec));
    BadRow(true).Judge(SharedBackend(spec));
  }
}

enum class TreeShape { kChain, kSiblings, kTwoEverywhere };

std::vector<int32_t> ParentsOf(TreeShape shape) {
  std::vector<int32_t> parents;
  for (int32_t node = 0; node < static_cast<int32_t>(kMaxDraftNodes); ++node) {
    parents.push_back(shape == TreeShape::kChain      ? node - 1
                      : shape == TreeShape::kSiblings ? -1
                                                      : node / 2 - 1);
  }
  return parents;
}

TEST(DraftsLimits, TheLargestTreesAreTheSameEverywhere) {
  constexpr int64_t kWide = 300;
  Random random(6);
  const std::vector<RowSpec> rows(kMaxDraftNodes + 1, NormalRow(random, {}, kWide));
  std::vector<TokenId> ids(kMaxDraftNodes);
  for (TokenId& id : ids) id = static_cast<TokenId>(random.Below(kWide));
  Chains chains(rows, rows, ids);
  for (TreeShape shape : {TreeShape::kChain, TreeShape::kSiblings, TreeShape::kTwoEverywhere}) {
    SCOPED_TRACE("shape " + std::to_string(static_cast<int>(shape)));
    const std::vector<int32_t> parents = ParentsOf(shape);
    for (DraftedSequence& sequence : chains.sequences) {
      sequence.law = shape == TreeShape::kSiblings ? DraftLaw::kOneHot : DraftLaw::kLogits;
      if (TakesTrees(sequence.method)) sequence.parents = parents;
    }
    std::vector<std::string> expected;
    for (const SequenceResult& result : Verified(chains.batch(), *MakeScalarBackend())) {
      EXPECT_EQ(result.outcome, Outcome::kOk);
      expected.push_back(TextOf(result));
    }
    for (const BackendSpec& spec : NextBackends(3)) {
      const std::vector<SequenceResult> results = Verified(chains.batch(), SharedBackend(spec));
      for (size_t i = 0; i < results.size(); ++i) {
        EXPECT_EQ(TextOf(results[i]), expected[i]) << Describe(spec) << ", method " << i;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::testing

// VerifyDrafts at its edges, on every executor: no drafts, greedy targets, drafts that one side
// cannot have drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/backends.h"
#include "tests/support/exact_residual.h"
#include "tests/verification/every_method.h"
#include "tests/verification/verified.h"

namespace tessera::testing {
namespace {

TEST(DraftsEdges, WithoutDraftsTheRootIsSampledAsAnyRow) {
  Random random(1);
  RowSpec root = NormalRow(random, {Temperature{0.8}, TopP{0.9}});
  const TokenId expected =
      oracle::Draw(*oracle::LawOfRow(root, kVocabSize), oracle::DrawWord(42, 17, 3, 0));
  const Chains chains({root}, {root}, {});
  for (const BackendSpec& spec : NextBackends(3)) {
    for (const SequenceResult& result : Verified(chains.batch(), SharedBackend(spec))) {
      EXPECT_EQ(result.outcome, Outcome::kOk);
      EXPECT_EQ(result.tokens, std::vector<TokenId>{expected}) << Describe(spec);
      EXPECT_TRUE(result.verdict.accepted.empty());
    }
  }
}

void ExpectTokens(const Chains& chains, const std::vector<TokenId>& expected) {
  for (const BackendSpec& spec : NextBackends(3)) {
    const std::vector<SequenceResult> results = Verified(chains.batch(), SharedBackend(spec));
    for (size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].tokens, expected) << Describe(spec) << ", method " << i;
    }
  }
}

TEST(DraftsEdges, AGreedyTargetFollowsTheArgmax) {
  Random random(2);
  std::vector<RowSpec> targets;
  std::vector<RowSpec> drafts;
  std::vector<TokenId> argmax;
  for (int i = 0; i < 4; ++i) {
    targets.push_back(NormalRow(random, {Greedy{}}));
    drafts.push_back(NormalRow(random, {}));
    argmax.push_back(oracle::LawOfRow(targets.back(), kVocabSize)->order.front());
  }
  for (int matching = 0; matching <= 3; ++matching) {
    std::vector<TokenId> ids(argmax.begin(), argmax.begin() + 3);
    if (matching < 3) ids[matching] = (ids[matching] + 1) % kVocabSize;
    Chains chains(targets, drafts, ids);
    for (DraftLaw law : {DraftLaw::kLogits, DraftLaw::kOneHot}) {
      for (DraftedSequence& sequence : chains.sequences) sequence.law = law;
      ExpectTokens(chains, {argmax.begin(), argmax.begin() + matching + 1});
    }
  }
}

// The smallest word of all, 0, is in decision_test.cc and ratio_test.cc.
TEST(DraftsEdges, ADraftOutsideTheTargetsLawIsNeverAccepted) {
  Random random(3);
  const std::vector<RowSpec> targets = {NormalRow(random, {TopK{3}}), NormalRow(random, {})};
  const std::vector<uint64_t> weights =
      oracle::WeightsById(*oracle::LawOfRow(targets[0], kVocabSize), kVocabSize);
  TokenId outside = 0;
  while (weights[outside] != 0) ++outside;
  Chains chains(targets, {NormalRow(random, {})}, {outside});
  for (uint64_t seed = 0; seed < 200; ++seed) {
    for (DraftedSequence& sequence : chains.sequences) {
      sequence.seed = seed;
      sequence.law = seed % 2 == 0 ? DraftLaw::kOneHot : DraftLaw::kLogits;
    }
    for (const SequenceResult& result : Verified(chains.batch(), BestBackend())) {
      ASSERT_EQ(result.tokens.size(), 1u);
      ASSERT_GT(weights[result.tokens[0]], 0u);
    }
  }
}

bool LooksAtTheDraftLaw(VerificationMethod method) {
  return method != VerificationMethod::kTargetOnly && method != VerificationMethod::kTypical;
}

// Of the chain's sequences, those whose method reads it, under every law.
void ExpectImpossibleRoot(Chains* chains, const std::vector<absl::Span<const WeightedId>>& lists) {
  for (DraftLaw law : {DraftLaw::kSparse, DraftLaw::kLogits}) {
    for (DraftedSequence& sequence : chains->sequences) {
      sequence.law = law;
      sequence.sparse = lists;
    }
    for (const BackendSpec& spec : NextBackends(3)) {
      const std::vector<SequenceResult> results = Verified(chains->batch(), SharedBackend(spec));
      for (size_t i = 0; i < results.size(); ++i) {
        if (!LooksAtTheDraftLaw(kAllMethods[i])) continue;
        EXPECT_EQ(results[i].verdict.impossible, 1u) << Describe(spec) << ", method " << i;
        EXPECT_TRUE(results[i].verdict.accepted.empty());
        EXPECT_EQ(results[i].tokens.size(), 1u);
      }
    }
  }
}

TEST(DraftsEdges, ADraftOutsideItsOwnLawIsRejectedAndCounted) {
  Random random(4);
  RowSpec only_3 = NormalRow(random, {TopK{1}});
  only_3.logits[3] = 100;
  const RowSpec any = NormalRow(random, {});
  const std::vector<WeightedId> list = {{3, 5}, {7, 0}, {8, 1}};
  for (const TokenId impossible : {7, 0}) {  // listed with no weight, and not listed
    Chains chains({any, any, any}, {only_3, any}, {impossible, 8});
    ExpectImpossibleRoot(&chains, {list, list});
  }
}

// Four ids of 1/4 each, of fifty: exp(-H) is 1/4, where the law before the chain would give 1/50.
TEST(DraftsEdges, TypicalComparesWithTheEntropyAfterTheChain) {
  Random random(5);
  RowSpec row = NormalRow(random, {TopK{4}});
  std::fill(row.logits.begin(), row.logits.end(), 1.0f);
  Chains chains({row, row}, {row}, {2});
  for (const double alpha : {0.9, 1.1}) {
    for (DraftedSequence& sequence : chains.sequences) {
      sequence.typical_epsilon = 1;
      sequence.typical_alpha = alpha;
    }
    for (const BackendSpec& spec : NextBackends(3)) {
      const std::vector<SequenceResult> results = Verified(chains.batch(), SharedBackend(spec));
      for (size_t i = 0; i < results.size(); ++i) {
        if (kAllMethods[i] != VerificationMethod::kTypical) continue;
        EXPECT_EQ(results[i].verdict.accepted.size(), alpha < 1 ? 1u : 0u) << Describe(spec);
      }
    }
  }
}

}  // namespace
}  // namespace tessera::testing

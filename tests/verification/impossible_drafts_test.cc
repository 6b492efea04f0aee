// Drafts that their law cannot have given, that the target has no weight for, or that are not to be
// reached: rejected, counted, and nothing else is lost by them.
#include <gtest/gtest.h>

#include <vector>

#include "kernels/verification/decision.h"
#include "kernels/verification/methods.h"
#include "tests/verification/given_coins.h"

namespace tessera::testing {
namespace {

// u = 0 accepts no draft of probability 0, in any method, and q = 0 is counted.
TEST(ImpossibleDrafts, AreRejectedAndCounted) {
  const DraftTree tree = Chain({{50, 0}});
  GivenCoins coins;  // u = 0
  for (const auto verify : {VerifyToken, VerifyBlock, VerifyTree, VerifyTraversal}) {
    Decision decision = verify(tree, coins);
    ASSERT_EQ(decision.asks().size(), 1u);
    EXPECT_GT(decision.asks()[0].b, 0u);  // the residual is used
    decision.Resume({{Total(0)}});
    ASSERT_EQ(decision.asks().size(), 1u);  // and p where it is empty
    EXPECT_EQ(decision.asks()[0].b, 0u);
    EXPECT_TRUE(decision.asks()[0].excluded.empty());
    EXPECT_TRUE(decision.asks()[0].draw);
    decision.Resume({{Total(100, 3)}});
    ASSERT_TRUE(decision.done());
    EXPECT_EQ(decision.verdict().token, 3);
    EXPECT_TRUE(decision.verdict().accepted.empty());
    EXPECT_EQ(decision.verdict().impossible, 1u);
  }
}

TEST(ImpossibleDrafts, AreASiblingTwiceWithoutReplacement) {
  DraftTree tree = Siblings({{10, 60}, {10, 60}});
  tree.nodes[1].token = 0;
  GivenCoins coins({{0, kHighest}});
  for (const bool without_replacement : {false, true}) {
    tree.without_replacement = without_replacement;
    for (const auto verify : {VerifyTree, VerifyTraversal}) {
      Decision decision = verify(tree, coins);
      while (!decision.done()) decision.Resume({{Total(50, 2)}});
      EXPECT_EQ(decision.verdict().impossible, without_replacement ? 1u : 0u);
      EXPECT_EQ(decision.verdict().token, 2);
    }
  }
}

TEST(TargetWithoutTheDraft, IsNeverAccepted) {
  const DraftTree tree = Chain({{0, 50}});
  GivenCoins coins;  // u = 0
  for (const auto verify :
       {VerifyToken, VerifyBlock, VerifyTree, VerifyTraversal, VerifyTargetOnly}) {
    Decision decision = verify(tree, coins);
    ASSERT_FALSE(decision.done());
    decision.Resume({{Total(50, 1)}});
    EXPECT_TRUE(decision.verdict().accepted.empty());
    EXPECT_EQ(decision.verdict().impossible, 0u);
  }
}

// A value below 2^-64 counts as 0: u = 0 must not accept what comes after it.
TEST(NegligibleValues, AreNeverAccepted) {
  DraftTree tree = Chain({{1, 100}, {1, 100}, {50, 50}});
  for (DraftPosition& position : tree.positions) position.target_total = uint64_t{1} << 60;
  GivenCoins coins;  // u = 0
  for (const auto verify : {VerifyBlock, VerifyTraversal}) {
    Decision decision = verify(tree, coins);
    while (!decision.done()) {
      std::vector<ResidualResult> answers(decision.asks().size(), Total(0));
      if (decision.asks()[0].b == 0) answers[0] = Total(100, 9);
      decision.Resume(answers);
    }
    EXPECT_LE(decision.verdict().accepted.size(), 1u);
    EXPECT_EQ(decision.verdict().token, 9);
    EXPECT_EQ(decision.verdict().tests[0].probability, 0.0);
  }
}

// P_1 is 1 and p is q at position 1, so that its residual is empty and h_1 is 0 / 0, which counts
// as 1: only a draft that q cannot have drawn comes to be rejected there. The one before it stays.
TEST(ImpossibleDrafts, LeaveTheOneBeforeThemWhereTargetAndDraftAgree) {
  const DraftTree tree = Chain({{50, 50}, {50, 0}});
  for (const auto verify : {VerifyBlock, VerifyTraversal}) {
    GivenCoins coins({{0, kHighest}});
    Decision decision = verify(tree, coins);
    while (!decision.done()) {
      std::vector<ResidualResult> answers;
      for (const ResidualAsk& ask : decision.asks()) {
        const bool empty = ask.position == 1 && ask.b != 0;
        answers.push_back(empty ? Total(0) : Total(100, static_cast<TokenId>(10 + ask.position)));
      }
      decision.Resume(answers);
    }
    EXPECT_EQ(decision.verdict().accepted, std::vector<uint32_t>{0});
    EXPECT_EQ(decision.verdict().token, 11);
  }
}

// p is q, so that nothing is left once a draft was rejected that q cannot have drawn.
TEST(ImpossibleDrafts, LeaveNothingForTheirSiblingsWhereTargetAndDraftAgree) {
  const DraftTree tree = Siblings({{50, 0}, {50, 50}});
  for (const auto verify : {VerifyTree, VerifyTraversal}) {
    GivenCoins coins;  // u = 0
    Decision decision = verify(tree, coins);
    while (!decision.done()) {
      const bool itself = decision.asks()[0].b == 0;
      decision.Resume({{itself ? Total(100, 9) : Total(0)}});
    }
    EXPECT_TRUE(decision.verdict().accepted.empty());
    EXPECT_EQ(decision.verdict().token, 9);
  }
}

// Without replacement a draft takes its weight out of q once: a sibling that repeats it takes none,
// and a sibling after all of q was drawn leaves the residual as it was.
TEST(WithoutReplacement, AnImpossibleSiblingTakesNoWeight) {
  DraftTree tree = Siblings({{10, 60}, {10, 60}, {92, 40}});
  tree.nodes[1].token = 0;
  tree.nodes[2].token = 1;
  tree.without_replacement = true;
  GivenCoins coins({{0, kHighest}, {2, 0}});
  Decision decision = VerifyTree(tree, coins);
  decision.Resume({{Total(5000)}});  // A = B = 100 from here on, and T as much
  ASSERT_EQ(decision.asks()[0].a, 4000u);
  ASSERT_EQ(decision.asks()[0].b, 9000u);
  decision.Resume({{Total(20000)}});
  ASSERT_TRUE(decision.done());
  // (4000 * 92 - 9000 * 40) / 20000, over q' = 1.
  EXPECT_DOUBLE_EQ(decision.verdict().tests[2].probability, 0.4);
  EXPECT_EQ(decision.verdict().accepted, std::vector<uint32_t>{2});
}

TEST(WithoutReplacement, NothingIsTakenOnceAllOfTheDraftLawWas) {
  DraftTree tree = Siblings({{10, 100}, {10, 0}});
  tree.without_replacement = true;
  for (const auto verify : {VerifyTree, VerifyTraversal}) {
    GivenCoins coins({{0, kHighest}});
    Decision decision = verify(tree, coins);
    const ResidualAsk first = decision.asks()[0];
    decision.Resume({{Total(90)}});
    ASSERT_FALSE(decision.done());
    EXPECT_EQ(decision.asks()[0].a, first.a);
    EXPECT_EQ(decision.asks()[0].b, first.b);
  }
}

// A certain draft proposed twice is excluded once.
TEST(OneHotSiblings, AreExcludedByTheirIds) {
  DraftTree tree = Siblings({{10, 1}, {20, 1}, {10, 1}});
  tree.nodes[2].token = 0;
  tree.positions[0].one_hot = true;
  tree.positions[0].draft_total = 1;
  tree.without_replacement = true;  // of each one's own law: no draft is impossible
  for (const auto verify : {VerifyTree, VerifyTraversal}) {
    GivenCoins coins({{0, kHighest}, {1, kHighest}, {2, 0}});
    Decision decision = verify(tree, coins);
    std::vector<TokenId> excluded;
    while (!decision.done()) {
      excluded = decision.asks()[0].excluded;
      decision.Resume({{Total(excluded.size() == 1 ? 90 : 70, 5)}});
    }
    EXPECT_EQ(excluded, (std::vector<TokenId>{0, 1}));
    EXPECT_TRUE(decision.verdict().accepted.empty());
    EXPECT_EQ(decision.verdict().impossible, 0u);
  }
}

}  // namespace
}  // namespace tessera::testing

// What the methods ask and report where nothing is drawn at random: residuals, coins, extreme
// totals.
#include "kernels/verification/decision.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/verification/methods.h"
#include "tests/verification/given_coins.h"

namespace tessera::testing {
namespace {

TEST(Decisions, WithoutDraftsAreTheBonusToken) {
  GivenCoins coins;
  const DraftTree tree = Chain({});
  for (const auto verify :
       {VerifyToken, VerifyBlock, VerifyTree, VerifyTraversal, VerifyTargetOnly}) {
    const Decision decision = verify(tree, coins);
    ASSERT_TRUE(decision.done());
    EXPECT_TRUE(decision.verdict().accepted.empty());
    EXPECT_EQ(decision.verdict().position, 0u);
    EXPECT_EQ(decision.verdict().token, -1);
  }
}

TEST(Token, AsksOnceAndReportsEachTest) {
  const DraftTree tree = Chain({{50, 40}, {10, 40}, {50, 50}});
  GivenCoins coins({{0, kHighest}, {1, uint64_t{1} << 62}});  // the second: 1/4, not below 1/4
  Decision decision = VerifyToken(tree, coins);
  ASSERT_FALSE(decision.done());
  ASSERT_EQ(decision.asks().size(), 1u);
  const ResidualAsk& ask = decision.asks()[0];
  EXPECT_EQ(ask.position, 1u);
  EXPECT_EQ(ask.a, 100u);
  EXPECT_EQ(ask.b, 100u);
  EXPECT_TRUE(ask.draw);
  decision.Resume({{Total(60, 7)}});
  ASSERT_TRUE(decision.done());
  const Verdict& verdict = decision.verdict();
  EXPECT_EQ(verdict.accepted, std::vector<uint32_t>{0});
  EXPECT_EQ(verdict.position, 1u);
  EXPECT_EQ(verdict.token, 7);
  ASSERT_EQ(verdict.tests.size(), 2u);
  EXPECT_EQ(verdict.tests[0].probability, 1.0);
  EXPECT_TRUE(verdict.tests[0].accepted);
  EXPECT_EQ(verdict.tests[1].probability, 0.25);
  EXPECT_EQ(verdict.tests[1].word, uint64_t{1} << 62);
  EXPECT_FALSE(verdict.tests[1].accepted);
}

TEST(Token, OfAOneHotDraftExcludesIt) {
  DraftTree tree = Chain({{10, 1}});
  tree.positions[0].one_hot = true;
  tree.positions[0].draft_total = 1;
  GivenCoins coins({{0, kHighest}});
  const Decision decision = VerifyToken(tree, coins);
  ASSERT_EQ(decision.asks().size(), 1u);
  EXPECT_EQ(decision.asks()[0].a, 1u);
  EXPECT_EQ(decision.asks()[0].b, 0u);
  EXPECT_EQ(decision.asks()[0].excluded, std::vector<TokenId>{0});
}

// A greedy target follows its argmax whatever the coins are.
TEST(GreedyTarget, NeedsNoCoins) {
  const DraftTree tree = Chain({{100, 20}, {100, 1}, {0, 100}});
  for (const uint64_t word : {uint64_t{0}, kHighest}) {
    GivenCoins coins({{0, word}, {1, word}, {2, word}});
    Decision decision = VerifyToken(tree, coins);
    decision.Resume({{Total(100, 5)}});
    EXPECT_EQ(decision.verdict().accepted, (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(decision.verdict().token, 5);
  }
}

// All that BLOCK may need is asked in one go, and only if the last draft fails.
TEST(Block, AsksForAllPositionsAtOnce) {
  const DraftTree tree = Chain({{50, 50}, {25, 50}, {50, 50}});
  GivenCoins accepting;
  EXPECT_TRUE(VerifyBlock(tree, accepting).done());
  GivenCoins rejecting({{2, kHighest}});
  Decision decision = VerifyBlock(tree, rejecting);
  ASSERT_EQ(decision.asks().size(), 3u);
  const std::vector<ResidualResult> answers = {Total(1, 11), Total(1, 12), Total(1, 13)};
  decision.Resume(answers);
  ASSERT_TRUE(decision.done());
  EXPECT_EQ(decision.verdict().accepted, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(decision.verdict().token, 13);
}

// The coin is the first child's: results are a function of the request, so which one is a promise.
TEST(TargetOnly, ComparesTheFirstChildsCoinWithARunningSum) {
  const DraftTree tree = Siblings({{10, 60}, {30, 20}, {20, 20}});
  GivenCoins coins({{0, uint64_t{1} << 62}, {1, kHighest}, {2, 0}});  // 1/4
  const Decision decision = VerifyTargetOnly(tree, coins);
  ASSERT_TRUE(decision.done());
  EXPECT_EQ(decision.verdict().accepted, std::vector<uint32_t>{1});
  ASSERT_EQ(decision.verdict().tests.size(), 2u);
  EXPECT_DOUBLE_EQ(decision.verdict().tests[1].probability, 0.4);
  EXPECT_EQ(decision.verdict().tests[1].word, uint64_t{1} << 62);
}

// 2^19 equal logits weigh 2^63, one more than a scalar may be.
TEST(ExtremeTotals, FitTheirScalars) {
  const uint64_t most = uint64_t{1} << 63;
  for (const uint64_t target_total : {most, uint64_t{1} << 44}) {
    for (const uint64_t draft_total : {most, uint64_t{1}}) {
      DraftTree tree = Chain({{1, 1}, {1, 1}, {1, 1}});
      for (DraftPosition& position : tree.positions) {
        position.target_total = target_total;
        position.draft_total = draft_total;
      }
      GivenCoins coins({{0, kHighest}, {1, kHighest}, {2, kHighest}});
      for (const auto verify : {VerifyToken, VerifyBlock, VerifyTree, VerifyTraversal}) {
        Decision decision = verify(tree, coins);
        while (!decision.done()) {
          std::vector<ResidualResult> answers;
          for (const ResidualAsk& ask : decision.asks()) {
            EXPECT_GE(ask.a, 1u);
            EXPECT_LT(ask.a, most);
            EXPECT_LT(ask.b, most);
            answers.push_back({{uint64_t{1} << 62, 0}, 1});  // 2^126
          }
          decision.Resume(answers);
        }
        for (const NodeTest& test : decision.verdict().tests) {
          EXPECT_GE(test.probability, 0.0);
          EXPECT_LE(test.probability, 1.0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::testing

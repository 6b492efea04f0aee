// What the methods ask and report where nothing is drawn at random: impossible drafts, empty
// residuals, extreme totals.
#include "kernels/verification/decision.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "kernels/verification/methods.h"

namespace tessera::testing {
namespace {

// Words by index; 0 where none is set.
class GivenCoins final : public Coins {
 public:
  explicit GivenCoins(std::map<uint32_t, uint64_t> words = {}) : words_(std::move(words)) {}
  bool Below(uint32_t index, const Ratio& ratio) override { return WordBelow(word(index), ratio); }
  uint64_t word(uint32_t index) const override {
    const auto found = words_.find(index);
    return found == words_.end() ? 0 : found->second;
  }

 private:
  std::map<uint32_t, uint64_t> words_;
};

constexpr uint64_t kHighest = ~uint64_t{0};

struct Weighed {
  uint64_t target;  // P_x of 100
  uint64_t draft;   // Q_x of 100
};

// Node i drafts id i; all laws total 100.
DraftTree Chain(const std::vector<Weighed>& drafts) {
  DraftTree tree;
  for (uint32_t i = 0; i < drafts.size(); ++i) {
    tree.nodes.push_back({static_cast<TokenId>(i), i, drafts[i].target, drafts[i].draft});
    tree.positions.push_back({{i}, 100, 0, false, 100});
  }
  tree.positions.push_back({{}, 100, 0, false, 0});
  return tree;
}

// Drafts of the root, ids 0, 1, ...
DraftTree Siblings(const std::vector<Weighed>& drafts) {
  DraftTree tree;
  tree.positions.push_back({{}, 100, 0, false, 100});
  for (uint32_t i = 0; i < drafts.size(); ++i) {
    tree.nodes.push_back({static_cast<TokenId>(i), 0, drafts[i].target, drafts[i].draft});
    tree.positions[0].children.push_back(i);
    tree.positions.push_back({{}, 100, 0, false, 0});
  }
  return tree;
}

ResidualResult Total(uint64_t total, TokenId token = -1) { return {{0, total}, token}; }

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

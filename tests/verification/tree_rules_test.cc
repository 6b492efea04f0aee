// TYPICAL and TARGET_ONLY on trees whose answers can be read off.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/verification/methods.h"

namespace tessera::testing {
namespace {

// Nodes of a tree by parent position and target weight; every target law totals 8.
struct Node {
  uint32_t parent;
  uint64_t target_weight;
  TokenId token = 0;
};

DraftTree TreeOf(const std::vector<Node>& nodes, double entropy = 0) {
  DraftTree tree;
  tree.positions.resize(nodes.size() + 1);
  for (DraftPosition& position : tree.positions) {
    position.target_total = 8;
    position.entropy = entropy;
  }
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    tree.nodes.push_back({nodes[i].token, nodes[i].parent, nodes[i].target_weight, 1});
    tree.positions[nodes[i].parent].children.push_back(i);
  }
  return tree;
}

std::vector<uint32_t> TypicalPath(const DraftTree& tree, double epsilon, double alpha) {
  Decision decision = VerifyTypical(tree, epsilon, alpha);
  if (!decision.done()) {
    EXPECT_EQ(decision.asks().size(), 1u);
    EXPECT_EQ(decision.asks()[0].b, 0u);  // p itself
    EXPECT_TRUE(decision.asks()[0].excluded.empty());
    decision.Resume({{ResidualResult{{0, 8}, 5}}});
    EXPECT_EQ(decision.verdict().token, 5);
  } else {
    EXPECT_EQ(decision.verdict().token, -1);
  }
  return decision.verdict().accepted;
}

using Path = std::vector<uint32_t>;

TEST(Typical, TakesTheLongestPath) {
  //   root - 0 (7/8) - 2 (1/8)
  //        - 1 (1/8) - 3 (4/8) - 4 (4/8)
  const DraftTree tree = TreeOf({{0, 7}, {0, 1}, {1, 1}, {2, 4}, {4, 4}});
  EXPECT_EQ(TypicalPath(tree, 0.1, 1), (Path{1, 3, 4}));
  EXPECT_EQ(TypicalPath(tree, 0.2, 1), (Path{0}));  // 1/8 is not typical: neither 1 nor 2
  EXPECT_EQ(TypicalPath(tree, 0.9, 1), (Path{}));
}

TEST(Typical, PrefersTheLikelierOfEqualLengths) {
  EXPECT_EQ(TypicalPath(TreeOf({{0, 2}, {0, 4}, {0, 4}}), 0.1, 1), (Path{1}));
  // 3/8 * 3/8 against 4/8 * 2/8.
  EXPECT_EQ(TypicalPath(TreeOf({{0, 3}, {0, 4}, {1, 3}, {2, 2}}), 0.1, 1), (Path{0, 2}));
  // 7/8 * 2/8 against 3/8 * 3/8: the whole path counts, not its end.
  EXPECT_EQ(TypicalPath(TreeOf({{0, 7}, {0, 3}, {1, 2}, {2, 3}}), 0.1, 1), (Path{0, 2}));
}

TEST(Typical, TestsNothingBelowADraftThatIsNotTypical) {
  const DraftTree tree = TreeOf({{0, 7}, {0, 1}, {1, 1}, {2, 4}, {4, 4}});
  Decision decision = VerifyTypical(tree, 0.2, 1);
  decision.Resume({{ResidualResult{{0, 8}, 5}}});
  ASSERT_TRUE(decision.done());
  std::vector<uint32_t> tested;
  for (const NodeTest& test : decision.verdict().tests) tested.push_back(test.node);
  EXPECT_EQ(tested, (Path{0, 1, 2}));
}

TEST(Typical, ComparesStrictlyWithTheSmallerThreshold) {
  EXPECT_EQ(TypicalPath(TreeOf({{0, 2}}), 0.25, 1), (Path{}));
  EXPECT_EQ(TypicalPath(TreeOf({{0, 2}}), std::nextafter(0.25, 0), 1), (Path{0}));
  // alpha * exp(-H) at H = ln 4: 0.4 / 4.
  const DraftTree uniform = TreeOf({{0, 1}}, std::log(4.0));
  EXPECT_EQ(TypicalPath(uniform, 1, 0.4), (Path{0}));  // 1/8 > 0.1
  EXPECT_EQ(TypicalPath(uniform, 1, 0.6), (Path{}));   // 1/8 < 0.15
  EXPECT_EQ(TypicalPath(uniform, 0.1, 0.6), (Path{0}));
}

class OneWord final : public Coins {
 public:
  explicit OneWord(uint64_t word) : word_(word) {}
  bool Below(uint32_t /*index*/, const Ratio& ratio) override { return WordBelow(word_, ratio); }
  uint64_t word(uint32_t /*index*/) const override { return word_; }

 private:
  uint64_t word_;
};

// Ids 1 and 0 of the law {4/8, 2/8, 2/8}, id 1 twice: its sum counts once.
TEST(TargetOnly, HoldsOneCoinAgainstTheRunningSum) {
  const DraftTree tree = TreeOf({{0, 2, 1}, {0, 2, 1}, {0, 4, 0}});
  const uint64_t eighth = uint64_t{1} << 61;
  struct {
    uint64_t word;
    std::vector<uint32_t> accepted;
  } const cases[] = {{0, {0}},          {2 * eighth - 1, {0}},
                     {2 * eighth, {2}}, {6 * eighth - 1, {2}},
                     {6 * eighth, {}},  {~uint64_t{0}, {}}};
  for (const auto& c : cases) {
    OneWord coin(c.word);
    Decision decision = VerifyTargetOnly(tree, coin);
    if (c.accepted.empty()) {
      ASSERT_EQ(decision.asks().size(), 1u);
      EXPECT_EQ(decision.asks()[0].excluded, (std::vector<TokenId>{1, 0}));
      EXPECT_EQ(decision.asks()[0].b, 0u);
      decision.Resume({{ResidualResult{{0, 2}, 2}}});
    }
    ASSERT_TRUE(decision.done());
    EXPECT_EQ(decision.verdict().accepted, c.accepted) << c.word;
  }
}

}  // namespace
}  // namespace tessera::testing

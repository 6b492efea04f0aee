// Rules that are not lossless, and mistakes around rules that are: the enumeration sees each.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "kernels/verification/methods.h"
#include "kernels/verification/node_tests.h"
#include "tests/verification/enumerate.h"

namespace tessera::testing {
namespace {

const Fraction kVisible = PowerOfHalf(20);

Drafting Published(const std::vector<int>& widths, bool without_replacement = false) {
  return {PublishedTarget, PublishedDraft, widths, without_replacement};
}

// MLC's rule on the CPU: p >= q accepts, else u < p / (q + 1e-5).
Decision SlackToken(const DraftTree& tree, Coins& coins) {
  Verdict verdict;
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    const DraftNode& draft = tree.nodes[node];
    const DraftPosition& position = tree.positions[node];
    // p / (q + 1e-5) = 1e5 * P_x * W_q / (W_p * (1e5 * Q_x + W_q)).
    const uint64_t target = draft.target_weight * position.draft_total;
    const uint64_t drafted = position.target_total * draft.draft_weight;
    const uint64_t slack = position.target_total * position.draft_total;
    const Ratio ratio = target >= drafted ? Ratio{uint64_t{1}, uint64_t{1}}
                                          : Ratio{100'000 * target, 100'000 * drafted + slack};
    verdict.position = node;
    if (!Accepts(coins, node, ratio, &verdict)) {
      ResidualAsk ask = TargetItself(node);
      ask.a = position.draft_total;
      ask.b = position.target_total;
      const ResidualResult drawn = co_await ask;
      verdict.token = drawn.token;
      co_return verdict;
    }
    verdict.accepted.push_back(node);
  }
  verdict.position = static_cast<uint32_t>(tree.nodes.size());
  co_return verdict;
}

TEST(WrongRules, SlackInTheDenominator) {
  for (const std::vector<int>& widths : std::vector<std::vector<int>>{{1}, {1, 1}, {1, 1, 1}}) {
    const Fraction error = ErrorOf(EmittedLaw(Published(widths), SlackToken), Published(widths));
    EXPECT_LT(kVisible, error);
    EXPECT_LT(error, Fraction(Natural(1), Natural(10'000)));
  }
}

TEST(WrongRules, TypicalAcceptanceIsLossy) {
  const Method typical = [](const DraftTree& tree, Coins&) {
    return VerifyTypical(tree, 0.3, 0.09);
  };
  for (const std::vector<int>& widths : std::vector<std::vector<int>>{{1}, {1, 1}, {2, 2}}) {
    EXPECT_LT(kVisible, ErrorOf(EmittedLaw(Published(widths), typical), Published(widths)));
  }
}

// Verification must be given the law after the whole chain. With the target's weights before
// truncation it emits tokens that the chain had cut.
TEST(WrongRules, TheUntruncatedTarget) {
  const Drafting drafting{Truncated(PublishedTarget), PublishedDraft, {1, 1}};
  const auto untruncated = [](Drafted* drafted) {
    for (size_t i = 0; i < drafted->contexts.size(); ++i) {
      drafted->target[i] = PublishedTarget(drafted->contexts[i]);
      drafted->tree.positions[i].target_total = Total(drafted->target[i]);
    }
    for (DraftNode& node : drafted->tree.nodes) {
      node.target_weight = drafted->target[node.parent][node.token];
    }
  };
  for (const Method method : {VerifyToken, VerifyBlock, VerifyTree, VerifyTraversal}) {
    EXPECT_EQ(ErrorOf(EmittedLaw(drafting, method), drafting), Fraction(0));
    EXPECT_LT(kVisible, ErrorOf(EmittedLawWith(drafting, method, untruncated), drafting));
  }
}

// A q that the drafter did not draw from.
TEST(WrongRules, AnotherDraftLaw) {
  const Drafting drafting = Published({1, 1});
  const auto another = [](Drafted* drafted) {
    for (size_t i = 0; i < drafted->contexts.size(); ++i) {
      if (!drafted->draft[i].empty()) drafted->draft[i] = {1, 1, 1};
      drafted->tree.positions[i].draft_total = Total(drafted->draft[i]);
    }
    for (DraftNode& node : drafted->tree.nodes) node.draft_weight = 1;
  };
  for (const Method method : {VerifyToken, VerifyBlock, VerifyTree, VerifyTraversal}) {
    EXPECT_LT(kVisible, ErrorOf(EmittedLawWith(drafting, method, another), drafting));
  }
}

// Siblings drawn without replacement, q left as it was after each rejection, or the other way
// round. On small trees of the published pair that happens to be right.
TEST(WrongRules, AnotherWayOfDrawingSiblings) {
  const auto other_way = [](Drafted* drafted) {
    drafted->tree.without_replacement = !drafted->tree.without_replacement;
  };
  for (const bool without_replacement : {false, true}) {
    const Drafting drafting{FourTokenTarget, FourTokenDraft, {2, 2}, without_replacement};
    for (const Method method : {VerifyTree, VerifyTraversal}) {
      EXPECT_LT(kVisible, ErrorOf(EmittedLawWith(drafting, method, other_way), drafting));
    }
  }
}

// One coin for all nodes.
class SharedCoin final : public Coins {
 public:
  explicit SharedCoin(Coins* coins) : coins_(coins) {}
  bool Below(uint32_t /*index*/, const Ratio& ratio) override { return coins_->Below(0, ratio); }
  uint64_t word(uint32_t /*index*/) const override { return coins_->word(0); }

 private:
  Coins* coins_;
};

Method WithOneCoin(const Method& method) {
  return [method](const DraftTree& tree, Coins& coins) {
    // Decisions outlive this call, and refer to their coins until they end.
    static std::vector<std::unique_ptr<SharedCoin>> kept;
    kept.push_back(std::make_unique<SharedCoin>(&coins));
    return method(tree, *kept.back());
  };
}

TEST(WrongRules, OneCoinForAllNodes) {
  for (const Method method : {VerifyToken, VerifyBlock, VerifyTree, VerifyTraversal}) {
    const Drafting drafting = Published({1, 1});
    EXPECT_LT(kVisible, ErrorOf(EmittedLaw(drafting, WithOneCoin(method)), drafting));
  }
}

}  // namespace
}  // namespace tessera::testing

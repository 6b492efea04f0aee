// Generation over several calls: drafts are dropped, and the next call begins where the one before
// it ended. The law of the first four tokens must stay the target's, so no random word may serve
// two calls. Seeds are fixed; each statistic is chi-square over 200,000 runs.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "kernels/math/philox.h"
#include "kernels/verification/methods.h"
#include "tests/support/exact_arithmetic.h"
#include "tests/verification/drafted.h"

namespace tessera::testing {
namespace {

using oracle::Uint128;

constexpr int kRuns = 200'000;
constexpr size_t kLength = 4;
constexpr double kCritical71 = 113.6;  // upper 0.1% point at 71 degrees of freedom

using Method = std::function<Decision(const DraftTree&, Coins&)>;
using CoinsOfCall = std::function<std::unique_ptr<Coins>(uint64_t seed, uint32_t first_position)>;

// The token of a 64-bit word, as ordinary sampling draws it.
size_t Drawn(const Weights& weights, uint64_t word) {
  const auto target = static_cast<uint64_t>(Uint128{word} * Total(weights) >> 64);
  uint64_t sum = 0;
  for (size_t id = 0; id < weights.size(); ++id) {
    sum += weights[id];
    if (sum > target) return id;
  }
  ADD_FAILURE() << "nothing to draw from";
  return 0;
}

// A residual, drawn from by a 128-bit word. Its weights are small here.
ResidualResult Answered(const Drafted& drafted, const ResidualAsk& ask, uint64_t seed,
                        uint32_t first) {
  const std::vector<Natural> exact = ResidualWeights(drafted, ask);
  ResidualResult result = TotalOf(exact);
  Weights weights;
  for (const Natural& weight : exact) weights.push_back(weight.IsZero() ? 0 : weight.Words()[0]);
  if (ask.draw && result.total.lo > 0) {
    // The upper half of the word decides: the lower one can only move it by 2^-64.
    const U128 word = RandomWord128(seed, first, 0, Purpose::kResidual, ask.position);
    result.token = static_cast<TokenId>(Drawn(weights, word.hi));
  }
  return result;
}

// Appends what one call emits.
void Step(const Drafting& drafting, const Method& method, const CoinsOfCall& coins_of,
          uint64_t seed, Tokens* tokens) {
  const auto first = static_cast<uint32_t>(tokens->size());
  uint32_t draft = 0;
  const Drafted drafted = DraftFrom(drafting, *tokens, [&](const Weights& weights) {
    return Drawn(weights, RandomWord(seed, first + draft++, first, Purpose::kDraw, 0));
  });
  const std::unique_ptr<Coins> coins = coins_of(seed, first);
  Decision decision = method(drafted.tree, *coins);
  while (!decision.done()) {
    std::vector<ResidualResult> answers;
    for (const ResidualAsk& ask : decision.asks()) {
      answers.push_back(Answered(drafted, ask, seed, first));
    }
    decision.Resume(answers);
  }
  const Verdict& verdict = decision.verdict();
  for (const uint32_t node : verdict.accepted) tokens->push_back(drafted.tree.nodes[node].token);
  TokenId last = verdict.token;
  if (last < 0) {
    const uint64_t word = RandomWord(seed, first, 0, Purpose::kDraw, verdict.position);
    last = static_cast<TokenId>(Drawn(drafted.target[verdict.position], word));
  }
  tokens->push_back(last);
}

// Chi-square of the first four tokens against the target's law.
double Statistic(const Drafting& drafting, const Method& method, const CoinsOfCall& coins_of) {
  std::map<Tokens, int> counts;
  for (uint64_t seed = 0; seed < kRuns; ++seed) {
    Tokens tokens;
    while (tokens.size() < kLength) Step(drafting, method, coins_of, seed, &tokens);
    tokens.resize(kLength);
    ++counts[tokens];
  }
  const Law law = LawOfNext(drafting.target, kLength);
  EXPECT_EQ(law.size(), 72u);
  double sum = 0;
  int counted = 0;
  for (const auto& [tokens, probability] : law) {
    const double expected = kRuns * probability.Approximately();
    const double difference = counts[tokens] - expected;
    sum += difference * difference / expected;
    counted += counts[tokens];
  }
  EXPECT_EQ(counted, kRuns);  // nothing of probability 0
  return sum;
}

std::unique_ptr<Coins> OfTheCall(uint64_t seed, uint32_t first_position) {
  return std::make_unique<PhiloxCoins>(seed, first_position, 0);
}

// A mistake: the coin of a draft is keyed by the draft's own position. One that was verified and
// dropped serves again when the next call drafts that position.
class AbsoluteCoins final : public Coins {
 public:
  AbsoluteCoins(uint64_t seed, uint32_t first_position) : seed_(seed), first_(first_position) {}
  bool Below(uint32_t index, const Ratio& ratio) override { return WordBelow(word(index), ratio); }
  uint64_t word(uint32_t index) const override {
    return RandomWord(seed_, first_ + index, 0, Purpose::kAccept, 0);
  }

 private:
  uint64_t seed_;
  uint32_t first_;
};

std::unique_ptr<Coins> OfThePosition(uint64_t seed, uint32_t first_position) {
  return std::make_unique<AbsoluteCoins>(seed, first_position);
}

const Drafting kChain = {PublishedTarget, PublishedDraft, {1, 1, 1}};

TEST(SeveralSteps, OfToken) { EXPECT_LT(Statistic(kChain, VerifyToken, OfTheCall), kCritical71); }

TEST(SeveralSteps, OfBlock) { EXPECT_LT(Statistic(kChain, VerifyBlock, OfTheCall), kCritical71); }

TEST(SeveralSteps, OfTraversal) {
  const Drafting tree = {PublishedTarget, PublishedDraft, {2, 2}, true};
  EXPECT_LT(Statistic(tree, VerifyTraversal, OfTheCall), kCritical71);
}

TEST(SeveralSteps, OfTree) {
  const Drafting tree = {PublishedTarget, PublishedDraft, {2, 1}, false};
  EXPECT_LT(Statistic(tree, VerifyTree, OfTheCall), kCritical71);
}

TEST(SeveralSteps, OfBlockWithWordsOfAbsolutePositionsIsBiased) {
  EXPECT_GT(Statistic(kChain, VerifyBlock, OfThePosition), 2 * kCritical71);
}

// TOKEN stops at the first rejection, so that no word of a dropped draft was looked at.
TEST(SeveralSteps, OfTokenWithWordsOfAbsolutePositionsIsNot) {
  EXPECT_LT(Statistic(kChain, VerifyToken, OfThePosition), kCritical71);
}

}  // namespace
}  // namespace tessera::testing

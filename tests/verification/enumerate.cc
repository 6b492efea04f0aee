#include "tests/verification/enumerate.h"

#include <algorithm>
#include <map>

#include "tests/verification/choices.h"

namespace tessera::testing {
namespace {

Natural NaturalOf(const U256& a) {
  return Natural::OfWords({a.words[0], a.words[1], a.words[2], a.words[3]});
}

std::vector<Natural> Naturals(const Weights& weights) { return {weights.begin(), weights.end()}; }

// Real uniform numbers: what is known of each is the interval it lies in.
class EnumeratedCoins final : public Coins {
 public:
  explicit EnumeratedCoins(Choices* choices) : choices_(choices) {}

  bool Below(uint32_t index, const Ratio& ratio) override {
    Interval& known = known_[index];
    const Fraction bound(NaturalOf(ratio.num), NaturalOf(ratio.den));
    if (known.high <= bound) return true;
    if (bound <= known.low) return false;
    const Fraction below = (bound - known.low) / (known.high - known.low);
    const bool is_below = choices_->Choose({below, Fraction(1) - below}) == 0;
    (is_below ? known.high : known.low) = bound;
    return is_below;
  }
  uint64_t word(uint32_t /*index*/) const override { return 0; }

 private:
  struct Interval {
    Fraction low = 0;
    Fraction high = 1;
  };
  Choices* choices_;
  std::map<uint32_t, Interval> known_;
};

// Drives a decision to its end. Which token a residual draw gives is chosen only if it is the one
// that is emitted; until then its place among all asks stands for it.
Tokens Emitted(const Drafted& drafted, const Method& method, Choices* choices) {
  EnumeratedCoins coins(choices);
  Decision decision = method(drafted.tree, coins);
  std::vector<std::vector<Natural>> laws;
  while (!decision.done()) {
    std::vector<ResidualResult> answers;
    for (const ResidualAsk& ask : decision.asks()) {
      laws.push_back(ResidualWeights(drafted, ask));
      ResidualResult answer = TotalOf(laws.back());
      if (ask.draw && !(answer.total == U128{})) {
        answer.token = static_cast<TokenId>(laws.size()) - 1;
      }
      answers.push_back(answer);
    }
    decision.Resume(answers);
  }
  const Verdict& verdict = decision.verdict();
  Tokens tokens;
  for (const uint32_t node : verdict.accepted) tokens.push_back(drafted.tree.nodes[node].token);
  const std::vector<Natural> law =
      verdict.token >= 0 ? laws[verdict.token] : Naturals(drafted.target[verdict.position]);
  tokens.push_back(static_cast<TokenId>(choices->ChooseByWeight(law)));
  return tokens;
}

}  // namespace

Law EmittedLaw(const Drafting& drafting, const Method& method) {
  return EmittedLawWith(drafting, method, [](Drafted* /*drafted*/) {});
}

Law EmittedLawWith(const Drafting& drafting, const Method& method,
                   const std::function<void(Drafted*)>& mistake) {
  Law law;
  Choices choices;
  do {
    Drafted drafted = DraftFrom(drafting, {}, [&choices](const Weights& weights) {
      return choices.ChooseByWeight(Naturals(weights));
    });
    mistake(&drafted);
    const Tokens tokens = Emitted(drafted, method, &choices);
    law[tokens] += choices.probability();
  } while (choices.Next());
  return law;
}

Fraction ErrorOf(const Law& emitted, const Drafting& drafting) {
  const int length = static_cast<int>(drafting.widths.size()) + 1;
  return TotalVariation(Completed(emitted, drafting.target, length),
                        LawOfNext(drafting.target, length));
}

}  // namespace tessera::testing

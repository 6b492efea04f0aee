#include "tests/support/exact_law.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "tests/support/exact_arithmetic.h"
#include "tests/support/exact_weights.h"

namespace tessera::oracle {
namespace {

constexpr long double kOne = 0x1p44L;  // the largest logit's weight
constexpr long double kLn2 = 0.693147180559945309417232121458176568L;

ExactLaw LawOf(Step step) {
  ExactLaw law;
  law.temperature = step.temperature;
  law.weights = WeightsOf(step);
  law.partial = step.partial != 0 && step.partial < law.weights.back();
  if (law.partial) law.weights.back() = step.partial;
  law.total = SumOf(law.weights);
  law.order = std::move(step.kept);
  law.y = std::move(step.y);
  return law;
}

// p of `token` among what a step keeps.
long double ProbabilityIn(const Step& step, TokenId token) {
  const std::vector<uint64_t> weights = WeightsOf(step);
  const auto place = std::find(step.kept.begin(), step.kept.end(), token) - step.kept.begin();
  return static_cast<long double>(weights[place]) / SumOf(weights);
}

struct NextState {
  const RowInput& row;
  const Step& before;  // the stage
  long double p;       // of the token in the law that it was drawn from
  TokenId token;

  std::optional<State> Mirostat(double tau, double eta) const {
    const long double surprisal = -std::log2(p);
    return State{MirostatStart(row, tau) - eta * (surprisal - tau), 0};
  }
  std::optional<State> operator()(const MirostatV1& s) const { return Mirostat(s.tau, s.eta); }
  std::optional<State> operator()(const MirostatV2& s) const { return Mirostat(s.tau, s.eta); }
  std::optional<State> operator()(const AdaptiveP& stage) const {
    const long double decay = stage.decay;
    const long double sum = row.has_state ? row.state[0] : stage.target / (1 - decay);
    const long double count = row.has_state ? row.state[1] : 1 / (1 - decay);
    return State{ProbabilityIn(before, token) + decay * sum, 1 + decay * count};
  }
  template <class S>
  std::optional<State> operator()(const S&) const {
    return std::nullopt;
  }
};

TokenId DrawFrom(const std::vector<std::pair<TokenId, uint64_t>>& weights, uint64_t r) {
  uint64_t inclusive = 0;
  for (const auto& [id, weight] : weights) {
    inclusive += weight;
    if (inclusive > r) return id;
  }
  return -1;  // not reached: r < total
}

std::vector<std::pair<TokenId, uint64_t>> InOrder(const ExactLaw& law) {
  std::vector<std::pair<TokenId, uint64_t>> tokens;
  for (size_t i = 0; i < law.order.size(); ++i) tokens.emplace_back(law.order[i], law.weights[i]);
  return tokens;
}

}  // namespace

ExactLaw ProcessedLaw(const ChainSteps& steps) { return LawOf(steps.steps.back()); }

ExactLaw TemperedLaw(const EditedRow& row, const ChainSteps& steps) {
  return LawOf({row.order, row.y, steps.tempered});
}

ExactLaw PlainLaw(std::vector<float> y, std::vector<TokenId> order) {
  return LawOf({std::move(order), std::move(y)});
}

TokenId Draw(const ExactLaw& law, uint64_t word) {
  auto tokens = InOrder(law);
  std::sort(tokens.begin(), tokens.end());
  return DrawFrom(tokens, MulHigh(word, law.total));
}

TokenId DrawSorted(const ExactLaw& law, uint64_t word) {
  return DrawFrom(InOrder(law), MulHigh(word, law.total));
}

long double Logprob(const ExactLaw& law, size_t place) {
  if (law.partial && place + 1 == law.order.size()) {
    return std::log(static_cast<long double>(law.weights[place]) / law.total);
  }
  const long double distance = static_cast<long double>(law.y[law.order[place]]) -
                               static_cast<long double>(law.y[law.order[0]]);
  return distance / law.temperature - std::log(law.total / kOne);
}

long double Entropy(const ExactLaw& law) {
  const float c = InverseTemperature(law.temperature);
  uint64_t sum = 0;
  for (size_t i = 0; i < law.order.size(); ++i) {
    const uint64_t tau = Distance(law.y[law.order[i]] - law.y[law.order[0]], c);
    sum += static_cast<uint64_t>((static_cast<Uint128>(law.weights[i]) * tau) >> 20);
  }
  return kLn2 * (std::log2(static_cast<long double>(law.total)) - 44 +
                 static_cast<long double>(sum) / law.total);
}

State StateAfter(const ChainSteps& steps, const Chain& chain, const RowInput& row,
                 const ExactLaw& law, TokenId token) {
  const auto place = std::find(law.order.begin(), law.order.end(), token) - law.order.begin();
  const long double p = static_cast<long double>(law.weights[place]) / law.total;
  State state = {0, 0};
  for (size_t i = 0; i < chain.stages.size(); ++i) {
    const Step& before = steps.steps[i];
    if (before.greedy) break;
    const auto next = std::visit(NextState{row, before, p, token}, chain.stages[i]);
    if (next.has_value()) state = *next;
  }
  return state;
}

}  // namespace tessera::oracle

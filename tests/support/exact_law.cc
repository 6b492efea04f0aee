#include "tests/support/exact_law.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "tests/support/exact_arithmetic.h"

namespace tessera::oracle {
namespace {

constexpr double kOne = 0x1p44;  // the largest logit's weight
constexpr long double kLn2 = 0.693147180559945309417232121458176568L;

std::vector<uint64_t> WeightsOf(const EditedRow& row, double temperature) {
  const float c = InverseTemperature(temperature);
  const float largest = row.y[row.order.front()];
  std::vector<uint64_t> weights;
  weights.reserve(row.order.size());
  for (TokenId id : row.order) weights.push_back(Weight(row.y[id] - largest, c));
  return weights;
}

uint64_t Sum(const std::vector<uint64_t>& weights, size_t size) {
  uint64_t sum = 0;
  for (size_t i = 0; i < size; ++i) sum += weights[i];
  return sum;
}

// The support's size after each stage in turn, at the temperature reached so far.
struct Narrow {
  const EditedRow& row;
  double temperature = 1;
  bool greedy = false;
  size_t size = 0;

  void operator()(const Temperature& stage) {
    if (stage.t == 0) {
      (*this)(Greedy{});
    } else {
      temperature *= stage.t;
    }
  }
  void operator()(const Greedy&) {
    greedy = true;
    size = 1;
  }
  void operator()(const TopK& stage) { size = std::min<size_t>(size, stage.k); }
  void operator()(const TopP& stage) {
    const std::vector<uint64_t> weights = WeightsOf(row, temperature);
    const uint64_t target = CeilShare(stage.p, Sum(weights, stage.joint ? weights.size() : size));
    uint64_t reached = weights[0];
    size_t kept = 1;
    while (kept < size && reached < target) reached += weights[kept++];
    size = kept;
  }
  void operator()(const MinP& stage) {
    const std::vector<uint64_t> weights = WeightsOf(row, temperature);
    const uint64_t threshold = CeilShare(stage.m, weights[0]);
    size_t kept = 1;
    while (kept < size && weights[kept] >= threshold) ++kept;
    size = kept;
  }
  void operator()(const LogitBias&) {}
  void operator()(const RepetitionPenalty&) {}
  void operator()(const FrequencyPenalty&) {}
  void operator()(const PresencePenalty&) {}
};

Narrow RunChain(const EditedRow& row, const Chain& chain) {
  Narrow narrow{row};
  narrow.size = row.order.size();
  for (size_t i = 0; i < chain.stages.size(); ++i) {
    if (IsNeutral(chain.stages[i]) || IsScaledEarly(chain, i)) continue;
    std::visit(narrow, chain.stages[i]);
  }
  if (narrow.greedy) narrow.temperature = 1;
  return narrow;
}

ExactLaw LawOf(const EditedRow& row, size_t size, double temperature) {
  ExactLaw law;
  law.order = row.order;
  law.size = size;
  law.y = row.y;
  law.temperature = temperature;
  law.weights = WeightsOf(row, temperature);
  law.total = Sum(law.weights, size);
  return law;
}

}  // namespace

ExactLaw ProcessedLaw(const EditedRow& row, const Chain& chain) {
  const Narrow narrow = RunChain(row, chain);
  return LawOf(row, narrow.size, narrow.temperature);
}

ExactLaw TemperedLaw(const EditedRow& row, const Chain& chain) {
  return LawOf(row, row.order.size(), RunChain(row, chain).temperature);
}

ExactLaw PlainLaw(std::vector<float> y, std::vector<TokenId> order) {
  EditedRow row;
  row.y = std::move(y);
  row.order = std::move(order);
  return LawOf(row, row.order.size(), 1);
}

TokenId Draw(const ExactLaw& law, uint64_t word) {
  const uint64_t r = MulHigh(word, law.total);
  std::vector<std::pair<TokenId, uint64_t>> by_id;
  for (size_t i = 0; i < law.size; ++i) by_id.emplace_back(law.order[i], law.weights[i]);
  std::sort(by_id.begin(), by_id.end());
  uint64_t inclusive = 0;
  for (const auto& [id, weight] : by_id) {
    inclusive += weight;
    if (inclusive > r) return id;
  }
  return -1;  // not reached: r < total
}

long double Logprob(const ExactLaw& law, size_t place) {
  const long double distance = static_cast<long double>(law.y[law.order[place]]) -
                               static_cast<long double>(law.y[law.order[0]]);
  return distance / law.temperature - std::log(law.total / static_cast<long double>(kOne));
}

long double Entropy(const ExactLaw& law) {
  const float c = InverseTemperature(law.temperature);
  uint64_t sum = 0;
  for (size_t i = 0; i < law.size; ++i) {
    const uint64_t tau = Distance(law.y[law.order[i]] - law.y[law.order[0]], c);
    sum += static_cast<uint64_t>((static_cast<Uint128>(law.weights[i]) * tau) >> 20);
  }
  return kLn2 * (std::log2(static_cast<long double>(law.total)) - 44 +
                 static_cast<long double>(sum) / law.total);
}

}  // namespace tessera::oracle

#include "tests/support/real_law.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace tessera::oracle {
namespace {

// One quantum: the likeliest token weighs 2^44 of them.
constexpr long double kQuantum = 0x1p-44L;

// exp((y - y_max) / T): relative to the likeliest.
std::vector<long double> Ratios(absl::Span<const float> y, absl::Span<const TokenId> order,
                                double temperature) {
  std::vector<long double> ratios;
  ratios.reserve(order.size());
  const long double largest = y[order.front()];
  for (TokenId id : order) ratios.push_back(std::exp((y[id] - largest) / temperature));
  return ratios;
}

size_t PrefixReaching(const std::vector<long double>& ratios, long double mass, size_t size) {
  long double reached = ratios[0];
  size_t kept = 1;
  while (kept < size && reached < mass) reached += ratios[kept++];
  return kept;
}

long double Sum(const std::vector<long double>& ratios, size_t size) {
  long double sum = 0;
  for (size_t i = 0; i < size; ++i) sum += ratios[i];
  return sum;
}

// Every cut keeps more of a larger support, so the two extremes bound all that is acceptable.
struct Narrow {
  const EditedRow& row;
  RealSupport support;
  bool greedy = false;

  void operator()(const Temperature& stage) {
    if (stage.t == 0) {
      (*this)(Greedy{});
    } else {
      support.temperature *= stage.t;
    }
  }
  void operator()(const Greedy&) {
    greedy = true;
    support.smallest = support.largest = 1;
  }
  void operator()(const TopK& stage) {
    support.smallest = std::min<size_t>(support.smallest, stage.k);
    support.largest = std::min<size_t>(support.largest, stage.k);
  }
  void operator()(const TopP& stage) {
    const std::vector<long double> ratios = Ratios(row.y, row.order, support.temperature);
    const size_t all = ratios.size();
    const long double p = stage.p;
    const long double low = p * Sum(ratios, stage.joint ? all : support.smallest);
    const long double high = p * Sum(ratios, stage.joint ? all : support.largest);
    const long double slack = kQuantum * all;  // half a quantum on each weight, and ceil
    support.smallest =
        PrefixReaching(ratios, low * (1 - kBoundaryTolerance) - slack, support.smallest);
    support.largest =
        PrefixReaching(ratios, high * (1 + kBoundaryTolerance) + slack, support.largest);
  }
  void operator()(const MinP& stage) {
    const std::vector<long double> ratios = Ratios(row.y, row.order, support.temperature);
    const long double m = stage.m;
    const auto prefix = [&](long double threshold, size_t size) {
      size_t kept = 1;
      while (kept < size && ratios[kept] >= threshold) ++kept;
      return kept;
    };
    const long double up = m * (1 + kBoundaryTolerance) + kQuantum;
    const long double down = m * (1 - kBoundaryTolerance) - kQuantum;
    support.smallest = prefix(up, support.smallest);
    // What weighs less than half a quantum weighs nothing, and any m > 0 drops it.
    support.largest = prefix(std::max(down, 0.49L * kQuantum), support.largest);
  }
  void operator()(const LogitBias&) {}
  void operator()(const RepetitionPenalty&) {}
  void operator()(const FrequencyPenalty&) {}
  void operator()(const PresencePenalty&) {}
};

}  // namespace

RealSupport RealSupportOf(const EditedRow& row, const Chain& chain) {
  Narrow narrow{row, {row.order.size(), row.order.size(), 1}};
  for (size_t i = 0; i < chain.stages.size(); ++i) {
    if (IsNeutral(chain.stages[i]) || IsScaledEarly(chain, i)) continue;
    std::visit(narrow, chain.stages[i]);
  }
  if (narrow.greedy) narrow.support.temperature = 1;
  return narrow.support;
}

std::vector<long double> RealLogprobs(absl::Span<const float> y, absl::Span<const TokenId> order,
                                      size_t size, double temperature) {
  order = order.first(size);
  const std::vector<long double> ratios = Ratios(y, order, temperature);
  const long double log_sum = std::log(Sum(ratios, size));
  const long double largest = y[order.front()];
  std::vector<long double> logprobs;
  logprobs.reserve(size);
  for (TokenId id : order) logprobs.push_back((y[id] - largest) / temperature - log_sum);
  return logprobs;
}

long double RealEntropy(absl::Span<const long double> logprobs) {
  long double sum = 0;
  for (long double logprob : logprobs) {
    const long double p = std::exp(logprob);
    if (p > 0) sum -= p * logprob;
  }
  return sum;
}

}  // namespace tessera::oracle

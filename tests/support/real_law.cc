#include "tests/support/real_law.h"

#include <cmath>

namespace tessera::oracle {

std::vector<long double> Ratios(absl::Span<const float> y, absl::Span<const TokenId> order,
                                double temperature) {
  std::vector<long double> ratios;
  ratios.reserve(order.size());
  const long double largest = y[order.front()];
  for (TokenId id : order) ratios.push_back(std::exp((y[id] - largest) / temperature));
  return ratios;
}

long double Sum(absl::Span<const long double> values) {
  long double sum = 0;
  for (long double value : values) sum += value;
  return sum;
}

std::vector<long double> RealLogprobs(absl::Span<const float> y, absl::Span<const TokenId> order,
                                      double temperature) {
  const long double log_sum = std::log(Sum(Ratios(y, order, temperature)));
  const long double largest = y[order.front()];
  std::vector<long double> logprobs;
  logprobs.reserve(order.size());
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

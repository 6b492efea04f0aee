#include "tests/support/exact_weights.h"

#include <algorithm>

#include "tests/support/exact_arithmetic.h"

namespace tessera::oracle {

std::vector<uint64_t> WeightsOf(const Step& step) {
  const float c = InverseTemperature(step.temperature);
  const float largest = step.y[step.kept.front()];
  std::vector<uint64_t> weights;
  weights.reserve(step.kept.size());
  for (TokenId id : step.kept) weights.push_back(Weight(step.y[id] - largest, c));
  return weights;
}

std::vector<uint64_t> DistancesOf(const Step& step) {
  const float c = InverseTemperature(step.temperature);
  const float largest = step.y[step.kept.front()];
  std::vector<uint64_t> distances;
  distances.reserve(step.kept.size());
  for (TokenId id : step.kept) distances.push_back(Distance(step.y[id] - largest, c));
  return distances;
}

uint64_t SumOf(const std::vector<uint64_t>& weights) {
  uint64_t sum = 0;
  for (uint64_t weight : weights) sum += weight;
  return sum;
}

void SortKept(Step* step) {
  const std::vector<float>& y = step->y;
  std::sort(step->kept.begin(), step->kept.end(),
            [&](TokenId a, TokenId b) { return y[a] != y[b] ? y[a] > y[b] : a < b; });
}

}  // namespace tessera::oracle

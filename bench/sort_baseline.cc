#include "bench/sort_baseline.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/math/dtype.h"

namespace tessera::bench {

TokenId SortAndSample(const LogitsView& logits, int64_t row, int k, float p, float u) {
  std::vector<std::pair<float, TokenId>> pairs(static_cast<size_t>(logits.columns));
  const std::byte* from = logits.Row(row);
  for (int64_t i = 0; i < logits.columns; ++i) {
    uint16_t bits;
    std::memcpy(&bits, from + 2 * i, 2);
    pairs[i] = {FromBfloat16(bits), static_cast<TokenId>(i)};
  }
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  const size_t kept = std::min(pairs.size(), static_cast<size_t>(k));
  std::vector<float> weights(kept);
  float total = 0;
  for (size_t i = 0; i < kept; ++i) {
    total += weights[i] = std::exp(pairs[i].first - pairs[0].first);
  }
  float nucleus = 0;
  size_t n = 0;
  while (n < kept && nucleus < p * total) nucleus += weights[n++];
  float sum = 0;
  for (size_t i = 0; i < n; ++i) {
    sum += weights[i];
    if (sum > u * nucleus) return pairs[i].second;
  }
  return pairs[n - 1].second;
}

}  // namespace tessera::bench

#include "tests/support/exact_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "kernels/math/log.h"
#include "tests/support/exact_arithmetic.h"

namespace tessera::oracle {
namespace {

__extension__ typedef __int128 Int128;

constexpr double kNaturalLogOf2 = 0.69314718055994530942;

}  // namespace

uint64_t EntropySum(const std::vector<uint64_t>& weights, const std::vector<uint64_t>& distances) {
  uint64_t sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    sum += static_cast<uint64_t>((static_cast<Uint128>(weights[i]) * distances[i]) >> 20);
  }
  return sum;
}

double EntropyOf(uint64_t total, uint64_t entropy_sum) {
  const double w = static_cast<double>(total);
  return kNaturalLogOf2 * (Log2(w) - 44 + static_cast<double>(entropy_sum) / w);
}

std::vector<bool> TypicalPlaces(const std::vector<uint64_t>& weights,
                                const std::vector<uint64_t>& distances, uint64_t target) {
  uint64_t total = 0;
  for (uint64_t weight : weights) total += weight;
  const Int128 scaled = static_cast<Int128>(EntropySum(weights, distances)) << 20;
  const Int128 centre = (scaled + total / 2) / total;
  const auto deviation = [&](size_t i) {
    const Int128 away = static_cast<Int128>(distances[i]) - centre;
    return away < 0 ? -away : away;
  };
  std::map<Int128, Int128> weight_of;  // of all tokens of a deviation
  for (size_t i = 0; i < weights.size(); ++i) weight_of[deviation(i)] += weights[i];
  Int128 largest = 0;
  Int128 reached = 0;
  for (const auto& [group, weight] : weight_of) {
    largest = group;
    reached += weight;
    if (reached >= static_cast<Int128>(target)) break;
  }
  std::vector<bool> stays(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) stays[i] = deviation(i) <= largest;
  return stays;
}

size_t WithinDeviations(const std::vector<float>& logits, double n) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const auto below = [&](float y) { return std::min(logits.front() - y, kLargest); };
  const float range = below(logits.back());
  const int scale = range > 0 ? 25 - std::ilogb(range) : 0;
  std::vector<Int128> spreads;
  for (float y : logits) {
    spreads.push_back(static_cast<Int128>(std::nearbyint(std::ldexp(double{below(y)}, scale))));
  }
  Int128 sum = 0;
  Int128 squares = 0;
  for (Int128 spread : spreads) {
    sum += spread;
    squares += spread * spread;
  }
  const auto count = static_cast<Int128>(logits.size());
  const auto numerator = static_cast<double>(count * squares - sum * sum);
  const double sigma = std::sqrt(numerator / static_cast<double>(count * count));
  size_t kept = 1;
  while (kept < spreads.size() && static_cast<double>(spreads[kept]) <= n * sigma) ++kept;
  return kept;
}

size_t TailFreeCount(const std::vector<uint64_t>& weights, double z) {
  if (weights.size() < 3) return weights.size();
  std::vector<Int128> bends;
  Int128 all = 0;
  for (size_t i = 0; i + 2 < weights.size(); ++i) {
    const Int128 bend = static_cast<Int128>(weights[i]) - 2 * static_cast<Int128>(weights[i + 1]) +
                        static_cast<Int128>(weights[i + 2]);
    bends.push_back(bend < 0 ? -bend : bend);
    all += bends.back();
  }
  const Int128 limit = FloorShare(z, static_cast<uint64_t>(all));
  size_t kept = 1;
  Int128 sum = 0;
  for (Int128 bend : bends) {
    sum += bend;
    if (sum <= limit) ++kept;
  }
  return kept;
}

size_t MirostatKept(const std::vector<float>& logits, float c, double mu, size_t columns) {
  constexpr size_t kLookedAt = 100;
  const size_t looked_at = std::min(logits.size(), kLookedAt);
  if (looked_at < 2) return logits.size();
  double tb = 0;
  double tt = 0;
  for (size_t i = 0; i + 1 < looked_at; ++i) {
    const double t = Log(static_cast<double>(i + 2) / static_cast<double>(i + 1));
    const double gap = static_cast<double>(logits[i]) - static_cast<double>(logits[i + 1]);
    const double b = gap * static_cast<double>(c) * kNaturalLogOf2;
    tb += t * b;
    tt += t * t;
  }
  const double s = tb / tt;
  if (s == 0) return logits.size();
  const double e = s - 1;
  const auto n = static_cast<double>(columns);
  const double ratio = e == 0 ? 1 / Log(n) : e / (1 - Pow(n, -e));
  const double k = Pow(ratio * Exp(mu * kNaturalLogOf2), 1 / s);
  if (k >= static_cast<double>(logits.size())) return logits.size();
  return k >= 1 ? static_cast<size_t>(k) : 1;
}

}  // namespace tessera::oracle

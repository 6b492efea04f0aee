#include "tests/support/real_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tests/support/real_law.h"

namespace tessera::oracle {
namespace {

using Reals = std::vector<long double>;

long double YAt(const Step& step, size_t place) { return step.y[step.kept[place]]; }

}  // namespace

// Sorts by deviation and adds up, as the paper does; distances end where weights do, at 44 bits.
Bounds StatisticBounds(const TypicalP& stage, const Step& before) {
  const Reals logprobs = RealLogprobs(before.y, before.kept, before.temperature);
  const long double entropy = RealEntropy(logprobs);
  const long double farthest = logprobs[0] - 44 * std::log(2.0L);
  Reals deviations;
  std::vector<std::pair<long double, long double>> by_deviation;
  for (long double logprob : logprobs) {
    deviations.push_back(std::fabs(-std::max(logprob, farthest) - entropy));
    by_deviation.emplace_back(deviations.back(), std::exp(logprob));
  }
  std::sort(by_deviation.begin(), by_deviation.end());
  const auto end_of = [&](long double mass) {
    long double reached = 0;
    for (const auto& [deviation, p] : by_deviation) {
      reached += p;
      if (reached >= mass) return deviation;
    }
    return by_deviation.back().first;
  };
  const long double rounding = kQuantum * static_cast<long double>(before.kept.size());
  const long double low = end_of(stage.p * (1 - 2 * kBoundaryTolerance) - rounding);
  const long double high = end_of(stage.p * (1 + 2 * kBoundaryTolerance) + rounding);
  constexpr long double kTolerance = 3 * kEntropyTolerance;  // nats
  Bounds bounds;
  bounds.mass = stage.p * (1 - 2 * kBoundaryTolerance) - rounding;
  for (long double deviation : deviations) {
    bounds.must.push_back(deviation < low - kTolerance);
    bounds.may.push_back(deviation <= high + kTolerance);
  }
  return bounds;
}

Bounds StatisticBounds(const TopNSigma& stage, const Step& before) {
  const size_t size = before.kept.size();
  constexpr long double kLargest = std::numeric_limits<float>::max();
  const auto n = static_cast<long double>(size);
  const auto below = [&](size_t place) {
    return std::min(YAt(before, 0) - YAt(before, place), kLargest);
  };
  long double mean = 0;
  for (size_t i = 0; i < size; ++i) mean += below(i) / n;
  long double variance = 0;
  for (size_t i = 0; i < size; ++i) variance += (below(i) - mean) * (below(i) - mean) / n;
  const long double limit = stage.n * std::sqrt(variance);
  const long double unit = below(size - 1) * 0x1p-24L;
  const long double tolerance = (stage.n + 1) * unit + 1e-6L * limit;
  const auto count = [&](long double most) {
    size_t kept = 1;
    while (kept < size && below(kept) <= most) ++kept;
    return kept;
  };
  return Prefix(size, count(limit - tolerance), count(limit + tolerance));
}

Bounds StatisticBounds(const TailFree& stage, const Step& before) {
  const size_t size = before.kept.size();
  if (size < 3) return Prefix(size, size, size);
  const Reals p = Ratios(before.y, before.kept, before.temperature);
  Reals sums, errors;
  for (size_t i = 0; i + 2 < size; ++i) {
    const long double error = (p[i] + 2 * p[i + 1] + p[i + 2]) * kBoundaryTolerance + 2 * kQuantum;
    const long double bend = std::fabs(p[i] - 2 * p[i + 1] + p[i + 2]);
    sums.push_back((i == 0 ? 0 : sums.back()) + bend);
    errors.push_back((i == 0 ? 0 : errors.back()) + error);
  }
  const auto count = [&](long double sign) {
    const long double limit = stage.z * (sums.back() + sign * errors.back());
    size_t kept = 1;
    for (size_t i = 0; i < sums.size(); ++i) kept += sums[i] - sign * errors[i] <= limit ? 1 : 0;
    return kept;
  };
  return Prefix(size, count(-1), count(1));
}

Bounds StatisticBounds(const MirostatV1& stage, const Step& before, const RowInput& row) {
  const size_t size = before.kept.size();
  const size_t looked_at = std::min<size_t>(size, 100);
  if (looked_at < 2) return Prefix(size, size, size);
  long double tb = 0, tt = 0;
  for (size_t i = 0; i + 1 < looked_at; ++i) {
    const long double t = std::log((i + 2.0L) / (i + 1.0L));
    tb += t * (YAt(before, i) - YAt(before, i + 1)) / before.temperature;
    tt += t * t;
  }
  if (tb == 0) return Prefix(size, size, size);  // all alike: nothing tells them apart
  const long double mu = MirostatStart(row, stage.tau);
  const auto columns = static_cast<long double>(before.y.size());
  const auto count = [&](long double s) {
    const long double e = s - 1;
    const long double ratio =
        std::fabs(e) < 1e-9L ? 1 / std::log(columns) : e / (1 - std::pow(columns, -e));
    return std::pow(ratio * std::exp2(mu), 1 / s);
  };
  const long double s = tb / tt;
  const long double a = count(s * (1 - 1e-6L)), b = count(s * (1 + 1e-6L));
  const auto whole = [&](long double k) {
    return static_cast<size_t>(std::clamp(k, 1.0L, static_cast<long double>(size)));
  };
  return Prefix(size, whole(std::min(a, b) * (1 - 1e-6L)), whole(std::max(a, b) * (1 + 1e-6L)));
}

}  // namespace tessera::oracle

#include "tests/support/exact_rewrites.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/math/log.h"
#include "tests/support/exact_arithmetic.h"
#include "tests/support/exact_statistics.h"
#include "tests/support/exact_weights.h"

namespace tessera::oracle {
namespace {

constexpr float kLowest = std::numeric_limits<float>::lowest();

// What is left stays a candidate: nothing becomes -inf. Every operation is one rounding.
float Finite(float y) { return std::max(y, kLowest); }

float LargestOf(const Step& step) { return step.y[step.kept.front()]; }

}  // namespace

void Rewrite(const DynamicTemperature& stage, Step* step) {
  const std::vector<uint64_t> weights = WeightsOf(*step);
  double flatness = 0;
  if (step->kept.size() > 1) {
    const double entropy = EntropyOf(SumOf(weights), EntropySum(weights, DistancesOf(*step)));
    flatness = std::clamp(entropy / Log(static_cast<double>(step->kept.size())), 0.0, 1.0);
  }
  const double power = Pow(flatness, stage.exponent);
  const double t = std::max(stage.low + (stage.high - stage.low) * power, 0x1p-20);
  const double scale = 1 / t;
  const float largest = LargestOf(*step);
  for (TokenId id : step->kept) {
    const float d = Finite(step->y[id] - largest);
    step->y[id] = static_cast<float>(std::max(d * scale, double{kLowest}));
  }
}

void Rewrite(const Smoothing& stage, Step* step) {
  const auto f = static_cast<float>(stage.factor);
  const auto k = static_cast<float>((3 - stage.curve) / 2);
  const auto s = static_cast<float>((stage.curve - 1) / 2);
  const float largest = LargestOf(*step);
  for (TokenId id : step->kept) {
    const float d = Finite(step->y[id] - largest);
    const float square = d * d;
    const float left = f * square;
    const float product = s * d;
    const float right = product - k;
    const float change = left * right;
    step->y[id] = Finite(largest + change);
  }
}

void Rewrite(const AdaptiveP& stage, const RowInput& row, Step* step) {
  const double aim = AdaptiveAim(row, stage.target);
  const std::vector<uint64_t> weights = WeightsOf(*step);
  const auto total = static_cast<double>(SumOf(weights));
  for (size_t i = 0; i < weights.size(); ++i) {
    const double p = static_cast<double>(weights[i]) / total;
    const double x = std::fabs(p - aim) / 0.3;
    step->y[step->kept[i]] = static_cast<float>(5 - 10 * x * x / (1 + x));
  }
}

bool XtcHappens(const RowInput& row, double probability) {
  const auto word = static_cast<long double>(XtcWord(row.seed, row.position, row.stream));
  return word < std::ldexp(static_cast<long double>(probability), 64);
}

}  // namespace tessera::oracle

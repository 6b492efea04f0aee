// What a rewriting stage makes of a logit. The row's edited copy is rewritten in place: what is
// left of the support gets new logits, the rest -inf (docs/numerics.md 2). One token at a time, by
// fixed operations, each rounded to nearest.
#ifndef TESSERA_KERNELS_ROW_REWRITE_H_
#define TESSERA_KERNELS_ROW_REWRITE_H_

#include <cstdint>

#include "kernels/math/weight.h"
#include "kernels/row/interval.h"

namespace tessera {

struct Rewrite {
  enum class Kind : uint8_t {
    kKeep,      // y
    kScale,     // (y - y_max) * value
    kSmooth,    // y_max + f * d^2 * (s * d - k), d = y - y_max; f = value, k = second, s = third
    kAdaptive,  // 5 - 10 x^2 / (1 + x), x = |p - value| / 0.3, p = weight / total
  };
  Kind kind = Kind::kKeep;
  Weigher weigher = {};  // of the support; its y_max counts for all kinds
  uint64_t total = 0;    // the support's weight, for kAdaptive
  double value = 0;
  float second = 0;
  float third = 0;
};

// A token that is left stays a candidate, however small.
TESSERA_HD inline float AtLeastFinite(float y) {
  return y >= -0x1.fffffep127f ? y : -0x1.fffffep127f;
}

// REQUIRES: y finite, at most weigher.y_max unless the kind is kKeep.
TESSERA_HD inline float Rewritten(const Rewrite& rewrite, float y) {
  const float d = AtLeastFinite(y - rewrite.weigher.y_max);
  if (rewrite.kind == Rewrite::Kind::kScale) {
    const double scaled = static_cast<double>(d) * rewrite.value;
    return scaled >= -0x1.fffffep127 ? static_cast<float>(scaled) : -0x1.fffffep127f;
  }
  if (rewrite.kind == Rewrite::Kind::kSmooth) {
    const float square = static_cast<float>(rewrite.value) * (d * d);
    const float curve = rewrite.third * d - rewrite.second;
    return AtLeastFinite(rewrite.weigher.y_max + square * curve);
  }
  if (rewrite.kind == Rewrite::Kind::kAdaptive) {
    const auto weight = static_cast<double>(WeightOf(rewrite.weigher, y));
    const double away = weight / static_cast<double>(rewrite.total) - rewrite.value;
    const double x = (away < 0 ? -away : away) / 0.3;
    return static_cast<float>(5.0 - 10.0 * x * x / (1.0 + x));
  }
  return y;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_REWRITE_H_

// Cuts that rewrite what is left of the row (rewrite.h): dynamic temperature, smoothing,
// adaptive-p, and XTC, which removes the top.
#ifndef TESSERA_KERNELS_ROW_REWRITING_CUTS_H_
#define TESSERA_KERNELS_ROW_REWRITING_CUTS_H_

#include <cstdint>

#include "kernels/math/log.h"
#include "kernels/math/philox.h"
#include "kernels/math/statistics.h"
#include "kernels/math/wide.h"
#include "kernels/row/draw.h"
#include "kernels/row/law.h"
#include "kernels/row/rewrite.h"
#include "kernels/row/search.h"
#include "kernels/row_input.h"
#include "kernels/stages/dynamic_temperature.h"

namespace tessera {

// low + (high - low) * (H / ln n)^exponent, at least kMinDynamicTemperature.
TESSERA_HD_CALLED inline double DynamicTemperatureOf(const Cut& cut, EntropySums sums, uint32_t n) {
  double flatness = n > 1 ? EntropyNats(sums.weight, sums.energy) / Log(n) : 0;
  flatness = flatness < 0 ? 0 : flatness > 1 ? 1 : flatness;
  double power = 0;
  if (flatness > 0) power = Pow(flatness, cut.third);
  const double temperature = cut.value + (cut.second - cut.value) * power;
  return temperature > kMinDynamicTemperature ? temperature : kMinDynamicTemperature;
}

template <class Row>
TESSERA_HD void ScaleByEntropy(Law<Row>& law, const Cut& cut) {
  const EntropySums sums = law.row.Entropy(law.WeigherAt(cut.c), law.support);
  const double temperature = DynamicTemperatureOf(cut, sums, law.row.Count(law.support));
  law.Apply(
      {.kind = Rewrite::Kind::kScale, .weigher = law.WeigherAt(cut.c), .value = 1 / temperature},
      law.support);
}

template <class Row>
TESSERA_HD void Smooth(Law<Row>& law, const Cut& cut) {
  law.Apply({.kind = Rewrite::Kind::kSmooth,
             .weigher = law.WeigherAt(cut.c),
             .value = cut.value,
             .second = static_cast<float>(cut.second),
             .third = static_cast<float>(cut.third)},
            law.support);
}

// Where adaptive-p aims: clamp(2 * target - S / N, 0, 1).
TESSERA_HD_CALLED inline double AimOf(const Cut& cut, const RowInput& input) {
  const double mean = input.has_state ? input.state[0] / input.state[1] : cut.value;
  const double aim = 2 * cut.value - mean;
  return aim < 0 ? 0 : aim > 1 ? 1 : aim;
}

template <class Row>
TESSERA_HD void Adapt(Law<Row>& law, const Cut& cut) {
  WeighLaw(law, cut.c);
  law.row.Note(law.weight, law.row.max_key());
  law.Apply({.kind = Rewrite::Kind::kAdaptive,
             .weigher = law.WeigherAt(cut.c),
             .total = law.weight,
             .value = AimOf(cut, law.row.input())},
            law.support);
}

// Whether XTC happens to a row.
TESSERA_HD_CALLED inline bool XtcCoin(const RowInput& input, double probability) {
  const uint64_t word = RandomWord(input.seed, input.position, input.stream, Purpose::kXtcCoin, 0);
  return static_cast<double>(word >> 11) * 0x1p-53 < probability;
}

template <class Row>
TESSERA_HD void ExcludeTop(Law<Row>& law, const Cut& cut) {
  if (!XtcCoin(law.row.input(), cut.second)) return;
  WeighLaw(law, cut.c);
  const uint64_t threshold = CeilMul(cut.value, law.weight);
  if (threshold > kMaxWeight) return;  // not even the likeliest reaches it
  const Weigher weigher = law.WeigherAt(cut.c);
  Interval choices = law.support;
  const TokenKey floor = FloorKey(LowestKeyWithWeight(weigher, threshold));
  if (floor > choices.lo) choices.lo = floor;
  if (law.row.Count(choices) < 2) return;
  const int32_t lowest = OrderKey(law.row.MomentsOf(choices).y_min);
  const Interval ties = PartBetween(choices, lowest, lowest);
  law.Apply({}, {law.support.lo, law.row.NthTie(ties, law.row.Count(ties))});
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_REWRITING_CUTS_H_

// Dynamic temperature: a temperature between low and high by how flat the law is (kalomaze 2023):
//
//   T' = low + (high - low) * (H / ln n)^exponent
//
// H is the entropy in nats of the n tokens left; with one token, T' = low. Rewrites logits,
// (y - y_max) / T'; temperatures before it multiply. T' below 2^-20 acts as 2^-20.
#ifndef TESSERA_KERNELS_STAGES_DYNAMIC_TEMPERATURE_H_
#define TESSERA_KERNELS_STAGES_DYNAMIC_TEMPERATURE_H_

#include <cmath>

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

inline constexpr double kMinDynamicTemperature = 0x1p-20;

struct DynamicTemperature {
  double low = 1;       // in [0, 2^20]
  double high = 1;      // in [low, 2^20]; low = high = 1 is off
  double exponent = 1;  // in (0, 64]
};

inline Refusal Check(const DynamicTemperature& stage) {
  if (!(stage.low >= 0 && stage.low <= 0x1p20)) {
    return {"dynamic_temperature.low", stage.low, "in [0, 2^20]"};
  }
  if (!(stage.high >= stage.low && stage.high <= 0x1p20)) {
    return {"dynamic_temperature.high", stage.high, "in [low, 2^20]"};
  }
  if (stage.exponent > 0 && stage.exponent <= 64) return {};
  return {"dynamic_temperature.exponent", stage.exponent, "in (0, 64]"};
}

inline bool IsOff(const DynamicTemperature& stage) { return stage.low == 1 && stage.high == 1; }

inline Cut CutOf(const DynamicTemperature& stage, float c) {
  return {.kind = Cut::Kind::kDynamicTemperature,
          .c = c,
          .value = stage.low,
          .second = stage.high,
          .third = stage.exponent};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_DYNAMIC_TEMPERATURE_H_

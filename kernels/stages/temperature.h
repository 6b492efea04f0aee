// Temperature divides logits by T. Followed by truncations or the draw it does not rewrite the row,
// it changes how weight is measured; several multiply. Followed by an edit it is itself an edit,
// y * (1 / T).
#ifndef TESSERA_KERNELS_STAGES_TEMPERATURE_H_
#define TESSERA_KERNELS_STAGES_TEMPERATURE_H_

#include <cmath>

#include "kernels/stages/refusal.h"

namespace tessera {

struct Temperature {
  double t = 1;  // 0 is greedy, otherwise in [2^-100, 2^100]
};

inline constexpr double kMinTemperature = 0x1p-100;
inline constexpr double kMaxTemperature = 0x1p100;

inline Refusal Check(const Temperature& stage) {
  if (stage.t == 0 || (stage.t >= kMinTemperature && stage.t <= kMaxTemperature)) return {};
  return {"temperature.t", stage.t, "0 (greedy) or in [2^-100, 2^100]"};
}

inline bool IsOff(const Temperature& stage) { return stage.t == 1; }

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_TEMPERATURE_H_

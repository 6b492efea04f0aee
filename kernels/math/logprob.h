// The log-probability of a token, from its logit and the integer weight of the support.
#ifndef TESSERA_KERNELS_MATH_LOGPROB_H_
#define TESSERA_KERNELS_MATH_LOGPROB_H_

#include <cstdint>

#include "kernels/math/host_device.h"
#include "kernels/math/log.h"

namespace tessera {

// (y - y_max) / T - ln(W / 2^44) in double, rounded once to float. `total_weight` is the support's
// W, at least 2^44; `y_max` is finite. y = -inf, a token outside the support, gives -inf; every
// finite y gives a finite result, however small its probability.
TESSERA_HD inline float Logprob(float y, float y_max, double temperature, uint64_t total_weight) {
  const double distance = static_cast<double>(y) - static_cast<double>(y_max);
  const double log_total = Log(static_cast<double>(total_weight) * 0x1p-44);
  const double logprob = distance / temperature - log_total;
  constexpr float kLowest = -0x1.fffffep127f;
  if (logprob < kLowest && y >= kLowest) return kLowest;
  return static_cast<float>(logprob);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_LOGPROB_H_

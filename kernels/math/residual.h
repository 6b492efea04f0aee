// The weight a token keeps after a draft was rejected: max(A * P - B * Q, 0).
#ifndef TESSERA_KERNELS_MATH_RESIDUAL_H_
#define TESSERA_KERNELS_MATH_RESIDUAL_H_

#include <cstdint>

#include "kernels/math/host_device.h"
#include "kernels/math/wide.h"

namespace tessera {

// `a` and `b` are the two scalars of a node, below 2^63; `p` and `q` the target's and the draft's
// weight of one token, at most 2^44. The result is below 2^108; 2^19 of them sum below 2^127.
TESSERA_HD inline U128 ResidualWeight(uint64_t a, uint64_t p, uint64_t b, uint64_t q) {
  const U128 target = Multiply(a, p);
  const U128 draft = Multiply(b, q);
  return draft < target ? target - draft : U128{};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_RESIDUAL_H_

// Intervals of the order "larger logit first, then lower id": what every truncation leaves.
#ifndef TESSERA_KERNELS_ROW_INTERVAL_H_
#define TESSERA_KERNELS_ROW_INTERVAL_H_

#include <cstdint>

#include "kernels/math/host_device.h"
#include "kernels/math/key.h"

namespace tessera {

// Ids whose token key lies in [lo, hi].
struct Interval {
  TokenKey lo = 0;
  TokenKey hi = ~TokenKey{0};

  TESSERA_HD bool Has(TokenKey key) const { return lo <= key && key <= hi; }
};

// The smallest token key of any id with this order key, hence a bound that admits all its ties.
TESSERA_HD inline TokenKey FloorKey(int32_t order_key) {
  return MakeTokenKey(order_key, 0) & ~TokenKey{0xFFFFFFFF};
}

// Every candidate: finite logits. -inf is not a candidate.
TESSERA_HD inline Interval AllCandidates() { return {.lo = FloorKey(kOrderKeyNegInf + 1)}; }

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_INTERVAL_H_

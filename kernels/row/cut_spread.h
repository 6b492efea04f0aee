// Top-n-sigma: cuts a support a number of standard deviations below its largest logit
// (docs/numerics.md 3a).
#ifndef TESSERA_KERNELS_ROW_CUT_SPREAD_H_
#define TESSERA_KERNELS_ROW_CUT_SPREAD_H_

#include <cstdint>

#include "kernels/math/statistics.h"
#include "kernels/row/law.h"
#include "kernels/stages/cut.h"

namespace tessera {

// The lowest order key from that of y_min at most `spread` below the largest logit, in the units of
// the scale, which reaches no further than y_min.
TESSERA_HD_CALLED inline int32_t LowestKeyWithin(SpreadScale scale, float y_max, float y_min,
                                                 uint32_t spread) {
  int64_t low = OrderKey(y_min);
  int64_t high = OrderKey(y_max);
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (SpreadOf(scale, y_max, FromOrderKey(static_cast<int32_t>(middle))) <= spread) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<int32_t>(low);
}

template <class Row>
TESSERA_HD void CutAtSpread(Law<Row>& law, const Cut& cut) {
  const SpreadMoments found = law.row.MomentsOf(law.support);
  const uint32_t spread = LargestKeptSpread(cut.value, SpreadSigma(found.moments));
  law.RaiseFloor(FloorKey(LowestKeyWithin(found.scale, law.y_max(), found.y_min, spread)));
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_CUT_SPREAD_H_

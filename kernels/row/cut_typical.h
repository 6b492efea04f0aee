// Typical-p: keeps the tokens whose distance is nearest to that of the entropy, whole groups of
// equal deviation, until their weight reaches p (docs/numerics.md 3a).
#ifndef TESSERA_KERNELS_ROW_CUT_TYPICAL_H_
#define TESSERA_KERNELS_ROW_CUT_TYPICAL_H_

#include <cstdint>

#include "kernels/math/statistics.h"
#include "kernels/row/cut_mass.h"
#include "kernels/row/law.h"
#include "kernels/row/rewrite.h"
#include "kernels/row/search.h"

namespace tessera {

// The lowest order key whose distance is at most `distance`; any key has one, at most kMaxDistance.
TESSERA_HD inline int32_t LowestKeyNear(const Weigher& weigher, uint32_t distance) {
  int64_t low = kOrderKeyMinFinite;
  int64_t high = OrderKey(weigher.y_max);
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (DistanceOf(weigher, FromOrderKey(static_cast<int32_t>(middle))) <= distance) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<int32_t>(low);
}

// The order keys whose deviation from the centre is at most `deviation`.
TESSERA_HD_CALLED inline OrderBracket BandAround(Weigher weigher, uint32_t centre,
                                                 uint32_t deviation) {
  OrderBracket band{kOrderKeyMinFinite, OrderKey(weigher.y_max)};
  if (centre + deviation < kMaxDistance) band.lo = LowestKeyNear(weigher, centre + deviation);
  if (deviation < centre) band.hi = LowestKeyNear(weigher, centre - deviation - 1) - 1;
  return band;
}

template <class Row>
TESSERA_HD void CutTypical(Law<Row>& law, const Cut& cut) {
  Row& row = law.row;
  const Weigher weigher = law.WeigherAt(cut.c);
  const EntropySums sums = row.Entropy(weigher, law.support);
  const auto centre = static_cast<uint32_t>(TypicalCentre(sums.weight, sums.energy));
  const uint64_t target = TargetOf(cut, sums.weight);
  uint32_t low = 0;
  uint32_t high = kMaxDistance;  // the smallest sufficient deviation lies in [low, high]
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const OrderBracket band = BandAround(weigher, centre, middle);
    const Interval part = PartBetween(law.support, band.lo, band.hi);
    if (row.Weigh(weigher, part, kNoBound).total >= target) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  law.summed = false;
  const OrderBracket band = BandAround(weigher, centre, low);
  if (band.hi >= row.max_key()) return law.RaiseFloor(FloorKey(band.lo));
  law.Apply({}, PartBetween(law.support, band.lo, band.hi));
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_CUT_TYPICAL_H_

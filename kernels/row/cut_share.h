// Cuts a support at a weight: a share of the largest, or of all that is left.
#ifndef TESSERA_KERNELS_ROW_CUT_SHARE_H_
#define TESSERA_KERNELS_ROW_CUT_SHARE_H_

#include <cstdint>

#include "kernels/math/log.h"
#include "kernels/math/statistics.h"
#include "kernels/math/wide.h"
#include "kernels/row/draw.h"
#include "kernels/row/law.h"
#include "kernels/row_input.h"
#include "kernels/stages/cut.h"

namespace tessera {

// Keys whose weight is at least `threshold`, and those that weigh most.
template <class Row>
TESSERA_HD void CutAtWeight(Law<Row>& law, float c, uint64_t threshold) {
  if (threshold > kMaxWeight) threshold = kMaxWeight;
  law.RaiseFloor(FloorKey(LowestKeyWithWeight(law.WeigherAt(c), threshold)));
}

// The share of all that is left that a token must weigh, given the sums of the support.
TESSERA_HD_CALLED inline double ShareOf(const Cut& cut, const RowInput& input, EntropySums sums) {
  double share = cut.value;
  if (cut.kind == Cut::Kind::kTopA) {
    const double top = 0x1p44 / static_cast<double>(sums.weight);
    share = cut.value * (top * top);
  } else if (cut.kind == Cut::Kind::kEta) {
    const double spread = Sqrt(cut.value) * Exp(-EntropyNats(sums.weight, sums.energy));
    if (spread < share) share = spread;
  } else if (cut.kind == Cut::Kind::kMirostatV2) {
    const double mu = input.has_state ? input.state[0] : 2 * cut.value;
    share = Exp(-mu * kLn2);
  }
  return share < 1 ? share : 1;
}

template <class Row>
TESSERA_HD void CutAtShare(Law<Row>& law, const Cut& cut) {
  EntropySums sums;
  if (cut.kind == Cut::Kind::kEta) {
    sums = law.row.Entropy(law.WeigherAt(cut.c), law.support);
  } else {
    WeighLaw(law, cut.c);
    sums.weight = law.weight;
  }
  CutAtWeight(law, cut.c, CeilMul(ShareOf(cut, law.row.input(), sums), sums.weight));
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_CUT_SHARE_H_

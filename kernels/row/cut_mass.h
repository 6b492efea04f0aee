// Cuts a support where a share of the mass ends, exactly: by the rule that the cut names.
#ifndef TESSERA_KERNELS_ROW_CUT_MASS_H_
#define TESSERA_KERNELS_ROW_CUT_MASS_H_

#include <cstdint>

#include "kernels/math/wide.h"
#include "kernels/row/cut_count.h"
#include "kernels/row/law.h"
#include "kernels/row/mass_search.h"
#include "kernels/stages/cut.h"

namespace tessera {

// The weight that the prefix up to the boundary must reach.
TESSERA_HD inline uint64_t TargetOf(const Cut& cut, uint64_t weight) {
  if (cut.boundary != Boundary::kReach) return FloorMul(cut.value, weight) + 1;
  const uint64_t target = CeilMul(cut.value, weight);
  return target > 0 ? target : 1;
}

// Where the support ends if the key `crossing` is the one that reaches the target. The first key
// weighs kMaxWeight.
TESSERA_HD inline TokenKey EndOfMass(const Cut& cut, uint64_t target, TokenKey crossing,
                                     int32_t max_key) {
  if (cut.boundary != Boundary::kWithin) return EndWithTies(crossing, cut.ties);
  const int32_t order_key = OrderKeyOf(crossing);
  if (cut.ties == Ties::kWhole) return FloorKey(order_key < max_key ? order_key + 1 : order_key);
  return target > kMaxWeight ? crossing + 1 : crossing;
}

template <class Row>
TESSERA_HD void CutListAfterMass(Law<Row>& law, const Cut& cut, uint64_t joint_weight) {
  const uint64_t weight = law.row.WeighList(law.WeigherAt(cut.c));
  const uint64_t target = TargetOf(cut, cut.joint ? joint_weight : weight);
  if (target > weight) return;  // joint: what is left does not reach p
  law.RaiseFloor(EndOfMass(cut, target, law.row.FindListCut(target), law.row.max_key()));
  if (cut.partial) law.row.Note(target, 0);
}

// On a support too large to list.
template <class Row>
TESSERA_HD void CutAfterMass(Law<Row>& law, const Cut& cut, uint64_t joint_weight) {
  MassSearch search;
  const uint64_t weight = StartMassSearch(law, cut.c, cut.value, &search);
  const uint64_t target = TargetOf(cut, cut.joint ? joint_weight : weight);
  if (target > weight) return;
  const TokenKey crossing = EndMassSearch(law, cut.c, target, &search);
  const TokenKey lo = EndOfMass(cut, target, crossing, law.row.max_key());
  if (cut.partial) law.row.Note(target, 0);
  if (law.listed) return law.RaiseFloor(lo);
  law.support.lo = lo > law.support.lo ? lo : law.support.lo;
  law.summed = search.above > 0 && search.sums_bound == search.bracket.hi;
  if (!law.summed) return;
  law.weight = search.above + law.row.AddListToSums(lo);
  law.sums_c = cut.c;
}

template <class Row>
TESSERA_HD void CutMass(Law<Row>& law, const Cut& cut) {
  uint64_t joint_weight = 0;
  if (cut.joint) {
    joint_weight = law.row.Weigh(law.WeigherAt(cut.c), AllCandidates(), kNoBound).total;
    law.summed = false;
  }
  law.ListIfShort();
  if (law.listed) {
    CutListAfterMass(law, cut, joint_weight);
  } else {
    CutAfterMass(law, cut, joint_weight);
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_CUT_MASS_H_

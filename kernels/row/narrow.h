// Applies a plan's cuts to a law, one after the other, each on what the one before left.
#ifndef TESSERA_KERNELS_ROW_NARROW_H_
#define TESSERA_KERNELS_ROW_NARROW_H_

#include <cstdint>

#include "kernels/math/wide.h"
#include "kernels/row/law.h"
#include "kernels/row/search.h"
#include "kernels/steps.h"

namespace tessera {

// The first `count` keys. `c` is the scale of the cut or draw that follows.
template <class Row>
TESSERA_HD void CutAfterCount(Law<Row>& law, uint32_t count, float c) {
  Row& row = law.row;
  if (count >= row.columns()) return;
  if (!law.listed) {
    const TokenKey floor = FloorKey(row.CountFloor(count, c));
    uint32_t size = law.ListFrom(floor);
    // The floor may have counted ids outside the support.
    if (!law.listed && size < count) size = law.ListFrom(law.support.lo);
    if (size < count) return;  // all of the support, which may not fit a list either
    if (size > row.list_capacity()) {
      law.RaiseFloor(NthKey(row, law.support, MakeWeigher(law.y_max, c), count));
      return law.ListIfShort();
    }
    if (!law.listed) {  // the cut lies in the list, so the list is all that matters
      law.RaiseFloor(floor);
      law.listed = true;
    }
  }
  if (row.list_size() > count) law.RaiseFloor(row.FindListCount(count));
}

// Keys whose weight is at least ceil(share * w_max).
template <class Row>
TESSERA_HD void CutAtWeight(Law<Row>& law, float c, double share) {
  const Weigher weigher = MakeWeigher(law.y_max, c);
  law.RaiseFloor(FloorKey(LowestKeyWithWeight(weigher, CeilScale(share))));
}

template <class Row>
TESSERA_HD void CutListAfterMass(Law<Row>& law, const Cut& cut, uint64_t joint_weight) {
  const uint64_t weight = law.row.WeighList(MakeWeigher(law.y_max, cut.c));
  const uint64_t target = CeilMul(cut.value, cut.joint ? joint_weight : weight);
  if (target > weight) return;  // joint: what is left does not reach p
  law.RaiseFloor(law.row.FindListCut(target > 0 ? target : 1));
}

// A bound a quarter further below the largest logit, for a bracket that ended too high.
TESSERA_HD inline int32_t Deeper(float y_max, int32_t order_key) {
  const float y = y_max - 1.25f * (y_max - FromOrderKey(order_key));
  return y > FromOrderKey(kOrderKeyNegInf) ? OrderKey(y) : kOrderKeyNegInf;
}

// The key that ends the mass `target` of a support, found in a bracket that may turn out to be too
// high or too full. The law is listed afterwards if a list of all that is above the end was made.
template <class Row>
TESSERA_HD TokenKey FindMassEnd(Law<Row>& law, const Weigher& weigher, uint64_t target,
                                MassSearch* search) {
  Row& row = law.row;
  OrderBracket& bracket = search->bracket;
  for (int attempt = 0, step = 0;;) {
    const Interval part = PartBetween(law.support, bracket.lo, bracket.hi);
    const uint32_t size = row.Collect(part);
    const bool fits = size <= row.list_capacity();
    if (!fits && bracket.lo < bracket.hi) {
      const bool guided = step++ < kGuidedSteps;
      SplitMass(row, weigher, law.support, target, guided, search);
      continue;
    }
    const uint64_t tie_weight = WeightOf(weigher, FromOrderKey(bracket.lo));
    const uint64_t inside = fits ? row.WeighList(weigher) : size * tie_weight;
    if (search->above + inside >= target) {
      const uint64_t rest = target - search->above;
      if (fits) {
        law.listed = search->above == 0;
        return row.FindListCut(rest);
      }
      search->sums_bound = kNoBound;  // no list tells what the sums lack
      return row.NthTie(part, static_cast<uint32_t>((rest + tie_weight - 1) / tie_weight));
    }
    bracket.lo = ++attempt < 2 ? Deeper(law.y_max, bracket.lo) : kOrderKeyNegInf;
  }
}

// The smallest prefix whose weight reaches ceil(p * W), p = cut.value, on a support too large to
// list. A bracket is guessed, the mass above it summed on the way to W, and what lies inside it
// listed. If the cut turns out to lie elsewhere the bracket is widened, so the guess decides time
// and nothing else.
template <class Row>
TESSERA_HD void CutAfterMass(Law<Row>& law, const Cut& cut, uint64_t joint_weight) {
  Row& row = law.row;
  const Weigher weigher = MakeWeigher(law.y_max, cut.c);
  MassSearch search{row.GuessMassBracket(weigher, cut.value), 0, kNoBound};
  const bool from_top = search.bracket.hi == kOrderKeyPosInf;
  search.sums_bound = from_top ? kNoBound : search.bracket.hi;
  const WeighTotals totals = row.Weigh(weigher, law.support, search.sums_bound);
  if (!from_top) search.above = totals.above;
  uint64_t target = CeilMul(cut.value, cut.joint ? joint_weight : totals.total);
  if (target > totals.total) return;
  if (target == 0) target = 1;
  if (search.above >= target) {
    search.bracket = {search.bracket.hi, kOrderKeyPosInf};
    search.above = 0;
  }
  const TokenKey lo = FindMassEnd(law, weigher, target, &search);
  if (law.listed) return law.RaiseFloor(lo);
  law.support.lo = lo > law.support.lo ? lo : law.support.lo;
  law.summed = search.above > 0 && search.sums_bound == search.bracket.hi;
  if (!law.summed) return;
  law.weight = search.above + row.AddListToSums(lo);
  law.sums_c = cut.c;
}

// `c` is the scale of the draw.
template <class Row>
TESSERA_HD void Narrow(Law<Row>& law, const Plan& plan, float c) {
  for (int32_t i = 0; i < plan.cut_count; ++i) {
    const Cut& cut = plan.cuts[i];
    if (cut.kind == Cut::Kind::kCount) {
      CutAfterCount(law, cut.count, c);
    } else if (cut.kind == Cut::Kind::kWeightOfMax) {
      CutAtWeight(law, cut.c, cut.value);
    } else {
      uint64_t joint_weight = 0;
      if (cut.joint) {
        joint_weight =
            law.row.Weigh(MakeWeigher(law.y_max, cut.c), AllCandidates(), kNoBound).total;
        law.summed = false;
      }
      law.ListIfShort();
      if (law.listed) {
        CutListAfterMass(law, cut, joint_weight);
      } else {
        CutAfterMass(law, cut, joint_weight);
      }
    }
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_NARROW_H_

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
      law.RaiseFloor(NthKey(row, law.support, law.WeigherAt(c), count));
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
  law.RaiseFloor(FloorKey(LowestKeyWithWeight(law.WeigherAt(c), CeilScale(share))));
}

template <class Row>
TESSERA_HD void CutListAfterMass(Law<Row>& law, const Cut& cut, uint64_t joint_weight) {
  const uint64_t weight = law.row.WeighList(law.WeigherAt(cut.c));
  const uint64_t target = CeilMul(cut.value, cut.joint ? joint_weight : weight);
  if (target > weight) return;  // joint: what is left does not reach p
  law.RaiseFloor(law.row.FindListCut(target > 0 ? target : 1));
}

// A bound a quarter further below the largest logit, for a bracket that ended too high.
TESSERA_HD inline int32_t Deeper(float y_max, int32_t order_key) {
  const float y = y_max - 1.25f * (y_max - FromOrderKey(order_key));
  return y > FromOrderKey(kOrderKeyNegInf) ? OrderKey(y) : kOrderKeyNegInf;
}

// Where a mass ends: the boundary lies among order keys [lo, hi], above which the support weighs
// `above`. `sums_bound` says what the row's sums are of.
struct MassSearch {
  OrderBracket bracket;
  uint64_t above;
  int32_t sums_bound;
};

// Splits the bracket; a guess may also raise its lower end, unproved. REQUIRES: lo < hi.
template <class Row>
TESSERA_HD void SplitMass(Law<Row>& law, float c, uint64_t target, bool guided,
                          MassSearch* search) {
  Row& row = law.row;
  OrderBracket& bracket = search->bracket;
  const int32_t top = row.max_key();
  OrderBracket guess{bracket.lo, bracket.hi < top ? bracket.hi : top};
  const int32_t hi = guess.hi;
  if (guided) {
    guess = row.GuessWithin(law.support, guess, {law.WeigherAt(c), false}, target - search->above);
  }
  const bool split = bracket.lo <= guess.hi && guess.hi < hi;
  const int32_t middle = split ? guess.hi : Middle(bracket.lo, hi);
  const WeighTotals totals = row.Weigh(law.WeigherAt(c), law.support, middle);
  search->sums_bound = middle;
  if (totals.above >= target) {
    bracket.lo = middle + 1;
  } else {
    bracket.hi = middle;
    search->above = totals.above;
    if (bracket.lo < guess.lo && guess.lo <= middle) bracket.lo = guess.lo;
  }
}

// The key that ends the mass `target` of a support, found in a bracket that may turn out to be too
// high or too full. The law is listed afterwards if a list of all that is above the end was made.
template <class Row>
TESSERA_HD TokenKey FindMassEnd(Law<Row>& law, float c, uint64_t target, MassSearch* search) {
  Row& row = law.row;
  OrderBracket& bracket = search->bracket;
  for (int attempt = 0, step = 0;;) {
    const Interval part = PartBetween(law.support, bracket.lo, bracket.hi);
    const uint32_t size = row.Collect(part);
    const bool fits = size <= row.list_capacity();
    if (!fits && bracket.lo < bracket.hi) {
      const bool guided = step++ < kGuidedSteps;
      SplitMass(law, c, target, guided, search);
      continue;
    }
    const uint64_t tie_weight = WeightOf(law.WeigherAt(c), FromOrderKey(bracket.lo));
    const uint64_t inside = fits ? row.WeighList(law.WeigherAt(c)) : size * tie_weight;
    if (search->above + inside >= target) {
      const uint64_t rest = target - search->above;
      if (fits) {
        law.listed = search->above == 0;
        return row.FindListCut(rest);
      }
      search->sums_bound = kNoBound;  // no list tells what the sums lack
      return row.NthTie(part, static_cast<uint32_t>((rest + tie_weight - 1) / tie_weight));
    }
    bracket.lo = ++attempt < 2 ? Deeper(law.y_max(), bracket.lo) : kOrderKeyNegInf;
  }
}

// The smallest prefix whose weight reaches ceil(p * W), p = cut.value, on a support too large to
// list. A bracket is guessed, the mass above it summed on the way to W, and what lies inside it
// listed. If the cut turns out to lie elsewhere the bracket is widened, so the guess decides time
// and nothing else.
template <class Row>
TESSERA_HD void CutAfterMass(Law<Row>& law, const Cut& cut, uint64_t joint_weight) {
  Row& row = law.row;
  MassSearch search{row.GuessMassBracket(law.WeigherAt(cut.c), cut.value), 0, kNoBound};
  const bool from_top = search.bracket.hi == kOrderKeyPosInf;
  search.sums_bound = from_top ? kNoBound : search.bracket.hi;
  const WeighTotals totals = row.Weigh(law.WeigherAt(cut.c), law.support, search.sums_bound);
  if (!from_top) search.above = totals.above;
  uint64_t target = CeilMul(cut.value, cut.joint ? joint_weight : totals.total);
  if (target > totals.total) return;
  if (target == 0) target = 1;
  if (search.above >= target) {
    search.bracket = {search.bracket.hi, kOrderKeyPosInf};
    search.above = 0;
  }
  const TokenKey lo = FindMassEnd(law, cut.c, target, &search);
  if (law.listed) return law.RaiseFloor(lo);
  law.support.lo = lo > law.support.lo ? lo : law.support.lo;
  law.summed = search.above > 0 && search.sums_bound == search.bracket.hi;
  if (!law.summed) return;
  law.weight = search.above + row.AddListToSums(lo);
  law.sums_c = cut.c;
}

// The cuts of the row's plan.
template <class Row>
TESSERA_HD void Narrow(Law<Row>& law) {
  for (int32_t i = 0; i < law.row.input().plan->cut_count; ++i) {
    const Plan& plan = *law.row.input().plan;
    const Cut& cut = plan.cuts[i];
    if (cut.kind == Cut::Kind::kCount) {
      CutAfterCount(law, cut.count, plan.c);
    } else if (cut.kind == Cut::Kind::kWeightOfMax) {
      CutAtWeight(law, cut.c, cut.value);
    } else {
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
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_NARROW_H_

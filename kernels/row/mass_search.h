// Finds the key at which a support's weight, from the top down, reaches a target, when the place is
// not in sight of a list. A bracket is guessed, the mass above it summed on the way to the whole,
// and what lies inside it listed. If the end turns out to lie elsewhere the bracket is widened, so
// the guess decides time and nothing else.
#ifndef TESSERA_KERNELS_ROW_MASS_SEARCH_H_
#define TESSERA_KERNELS_ROW_MASS_SEARCH_H_

#include <cstdint>

#include "kernels/row/law.h"
#include "kernels/row/search.h"

namespace tessera {

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

// Starts at a guess of where the first `share` of the mass ends; what the support weighs.
template <class Row>
TESSERA_HD uint64_t StartMassSearch(Law<Row>& law, float c, double share, MassSearch* search) {
  *search = {law.row.GuessMassBracket(law.WeigherAt(c), share), 0, kNoBound};
  const bool from_top = search->bracket.hi == kOrderKeyPosInf;
  search->sums_bound = from_top ? kNoBound : search->bracket.hi;
  const WeighTotals totals = law.row.Weigh(law.WeigherAt(c), law.support, search->sums_bound);
  if (!from_top) search->above = totals.above;
  return totals.total;
}

// Ends it. REQUIRES: 0 < target <= the support's weight.
template <class Row>
TESSERA_HD TokenKey EndMassSearch(Law<Row>& law, float c, uint64_t target, MassSearch* search) {
  if (search->above >= target) {
    search->bracket = {search->bracket.hi, kOrderKeyPosInf};
    search->above = 0;
  }
  return FindMassEnd(law, c, target, search);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_MASS_SEARCH_H_

// Finds where a support must be cut when the place is not in sight of a list: bisection over order
// keys, one pass a step, until what is left fits the list or is one tie.
#ifndef TESSERA_KERNELS_ROW_SEARCH_H_
#define TESSERA_KERNELS_ROW_SEARCH_H_

#include <cstdint>

#include "kernels/row/interval.h"
#include "kernels/row/row.h"

namespace tessera {

// The part of a support whose order keys lie in [lo, hi].
TESSERA_HD inline Interval PartBetween(const Interval& support, int32_t lo, int32_t hi) {
  Interval part = support;
  if (FloorKey(lo) > part.lo) part.lo = FloorKey(lo);
  if (hi < kOrderKeyPosInf && FloorKey(hi + 1) - 1 < part.hi) part.hi = FloorKey(hi + 1) - 1;
  return part;
}

TESSERA_HD inline int32_t Middle(int32_t lo, int32_t hi) {
  return static_cast<int32_t>(lo + (int64_t{hi} - lo) / 2);
}

// The n-th key of a support, in the order. REQUIRES: the support has at least n keys, n > 0, and no
// order key above `max_key`.
template <class Row>
TESSERA_HD TokenKey NthKey(Row& row, const Interval& support, int32_t max_key, uint32_t n) {
  int32_t lo = OrderKeyOf(support.lo);  // the n-th key lies in [lo, hi]
  int32_t hi = max_key;
  uint32_t above = 0;  // keys above hi, fewer than n
  uint32_t until = row.Count(support);
  while (lo < hi && until - above > row.list_capacity()) {
    const int32_t middle = Middle(lo, hi);
    const uint32_t count = row.Count(PartBetween(support, middle + 1, kOrderKeyPosInf));
    if (count >= n) {
      lo = middle + 1;
      until = count;
    } else {
      hi = middle;
      above = count;
    }
  }
  const Interval part = PartBetween(support, lo, hi);
  if (until - above > row.list_capacity()) return row.NthTie(part, n - above);
  row.Collect(part);
  return row.FindListCount(n - above);
}

// Where a mass ends: the boundary lies among order keys [lo, hi], above which the support weighs
// `above`. `sums_bound` says what the row's sums are of.
struct MassSearch {
  OrderBracket bracket;
  uint64_t above;
  int32_t sums_bound;
};

// Halves the bracket. REQUIRES: lo < hi.
template <class Row>
TESSERA_HD void Halve(Row& row, const Weigher& weigher, const Interval& support, uint64_t target,
                      MassSearch* search) {
  OrderBracket& bracket = search->bracket;
  const int32_t top = OrderKey(weigher.y_max);
  const int32_t middle = Middle(bracket.lo, bracket.hi < top ? bracket.hi : top);
  const WeighTotals totals = row.Weigh(weigher, support, middle);
  search->sums_bound = middle;
  if (totals.above >= target) {
    bracket.lo = middle + 1;
  } else {
    bracket.hi = middle;
    search->above = totals.above;
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SEARCH_H_

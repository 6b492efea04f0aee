// Finds where a support must be cut when the place is not in sight of a list: guesses and then
// bisection over order keys, until what is left fits the list or is one tie.
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

// Guesses decide a search's first steps; then it bisects, so that no row can make it long.
inline constexpr int kGuidedSteps = 4;

// The n-th key of a support is being searched among order keys [lo, hi].
struct CountSearch {
  int32_t lo;
  int32_t hi;
  uint32_t above;  // the support's keys above hi, fewer than n
  uint32_t until;  // and those down to lo, at least n
};

template <class Row>
TESSERA_HD void SplitCount(Row& row, const Interval& support, uint32_t n, int32_t middle,
                           CountSearch* search) {
  const uint32_t count = row.Count(PartBetween(support, middle + 1, kOrderKeyPosInf));
  if (count >= n) {
    search->lo = middle + 1;
    search->until = count;
  } else {
    search->hi = middle;
    search->above = count;
  }
}

// The n-th key of a support, in the order. `weigher` says where the order begins, and in which
// scale to guess. REQUIRES: the support has at least n keys, n > 0.
template <class Row>
TESSERA_HD TokenKey NthKey(Row& row, const Interval& support, const Weigher& weigher, uint32_t n) {
  CountSearch search{OrderKeyOf(support.lo), OrderKey(weigher.y_max), 0, row.Count(support)};
  for (int step = 0; search.lo < search.hi; ++step) {
    if (search.until - search.above <= row.list_capacity()) break;
    OrderBracket guess{search.lo, search.hi};
    if (step < kGuidedSteps) {
      guess = row.GuessWithin(support, guess, {weigher, true}, n - search.above);
    }
    const bool upper = search.lo <= guess.hi && guess.hi < search.hi;
    const bool lower = search.lo < guess.lo && guess.lo <= search.hi;
    if (upper) SplitCount(row, support, n, guess.hi, &search);
    if (lower && guess.lo - 1 < search.hi && search.lo < guess.lo) {
      SplitCount(row, support, n, guess.lo - 1, &search);
    } else if (!upper) {
      SplitCount(row, support, n, Middle(search.lo, search.hi), &search);
    }
  }
  const Interval part = PartBetween(support, search.lo, search.hi);
  if (search.until - search.above > row.list_capacity()) return row.NthTie(part, n - search.above);
  row.Collect(part);
  return row.FindListCount(n - search.above);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SEARCH_H_

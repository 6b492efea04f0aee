// The first n of a support in order: top-n logprobs, and stages that look at ranks.
#ifndef TESSERA_KERNELS_ROW_RANKED_H_
#define TESSERA_KERNELS_ROW_RANKED_H_

#include <cstdint>

#include "kernels/row/passes.h"
#include "kernels/row/select.h"

namespace tessera {

inline constexpr uint32_t kMaxRanked = 4096;

// Sorts the first min(n, size) of `list` into `work`, which is as large; their number.
template <class Passes>
uint32_t RankList(Passes& passes, KeyList list, uint32_t n, KeyList work) {
  list.weights = nullptr;
  work.weights = nullptr;
  const TokenKey lo = list.size > n && n > 0 ? FindCut(passes, list, n, work) : 0;
  const uint32_t kept = n > 0 ? KeepBetween(passes, list, lo, ~TokenKey{0}, work) : 0;
  SortKeys(work.keys, kept);
  return kept;
}

// The same for the first n <= kMaxRanked of a row's support. `list` and `work` hold `columns` keys.
template <class Passes>
uint32_t Ranked(Passes& passes, const Interval& support, uint32_t n, KeyList list, KeyList work) {
  Interval part = support;
  const TokenKey floor = FloorKey(passes.CountFloor(n));
  if (floor > part.lo) part.lo = floor;
  list.size = passes.Collect(part, list.keys, passes.row().columns);
  if (list.size < n && part.lo > support.lo) {
    list.size = passes.Collect(support, list.keys, passes.row().columns);
  }
  return RankList(passes, list, n, work);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_RANKED_H_

// Keys of a list in order: top-n logprobs, and stages that look at ranks.
#ifndef TESSERA_KERNELS_ROW_RANKED_H_
#define TESSERA_KERNELS_ROW_RANKED_H_

#include <cstdint>

#include "kernels/row/passes.h"
#include "kernels/row/select.h"

namespace tessera {

// Sorts the keys of `list` that have the ranks [first, end), ranks from 0, into `work`, which is as
// large; how many there are. REQUIRES: first < end.
template <class Passes>
uint32_t RankList(Passes& passes, KeyList list, uint32_t first, uint32_t end, KeyList work) {
  list.weights = nullptr;
  work.weights = nullptr;
  if (first >= list.size) return 0;
  const TokenKey hi = first > 0 ? FindCut(passes, list, first, work) - 1 : ~TokenKey{0};
  const TokenKey lo = list.size > end ? FindCut(passes, list, end, work) : 0;
  const uint32_t kept = KeepBetween(passes, list, lo, hi, work);
  SortKeys(work.keys, kept);
  return kept;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_RANKED_H_

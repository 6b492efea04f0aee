// The first n of a list in order: top-n logprobs, and stages that look at ranks.
#ifndef TESSERA_KERNELS_ROW_RANKED_H_
#define TESSERA_KERNELS_ROW_RANKED_H_

#include <cstdint>

#include "kernels/row/passes.h"
#include "kernels/row/select.h"

namespace tessera {

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

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_RANKED_H_

// Cuts a support after a count of tokens.
#ifndef TESSERA_KERNELS_ROW_CUT_COUNT_H_
#define TESSERA_KERNELS_ROW_CUT_COUNT_H_

#include <cstdint>

#include "kernels/row/law.h"
#include "kernels/row/search.h"
#include "kernels/stages/cut.h"

namespace tessera {

// Where a support ends whose last key is `lo`.
TESSERA_HD inline TokenKey EndWithTies(TokenKey lo, Ties ties) {
  return ties == Ties::kSplit ? lo : FloorKey(OrderKeyOf(lo));
}

// The first `count` keys, and those tied with the last of them if wanted. `c` is the scale of the
// cut or draw that follows.
template <class Row>
TESSERA_HD void CutAfterCount(Law<Row>& law, uint32_t count, Ties ties, float c) {
  Row& row = law.row;
  if (count >= row.columns()) return;
  if (!law.listed) {
    const TokenKey floor = FloorKey(row.CountFloor(count, c));
    uint32_t size = law.ListFrom(floor);
    // The floor may have counted ids outside the support.
    if (!law.listed && size < count) size = law.ListFrom(law.support.lo);
    if (size < count) return;  // all of the support, which may not fit a list either
    if (size > row.list_capacity()) {
      law.RaiseFloor(EndWithTies(NthKey(row, law.support, law.WeigherAt(c), count), ties));
      return law.ListIfShort();
    }
    if (!law.listed) {  // the cut lies in the list, so the list is all that matters
      law.RaiseFloor(floor);
      law.listed = true;
    }
  }
  if (row.list_size() > count) law.RaiseFloor(EndWithTies(row.FindListCount(count), ties));
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_CUT_COUNT_H_

// Draws tokens from a law (docs/numerics.md 5).
#ifndef TESSERA_KERNELS_ROW_DRAW_H_
#define TESSERA_KERNELS_ROW_DRAW_H_

#include <cstdint>

#include "kernels/row/law.h"

namespace tessera {

// Makes the law's weight under `c` known: of the list, or of the sums.
template <class Row>
TESSERA_HD void WeighLaw(Law<Row>& law, float c) {
  const bool known = law.summed && law.sums_c == c;
  if (!known) law.ListIfShort();
  const Weigher weigher = MakeWeigher(law.y_max(), c);
  if (law.listed) {
    law.weight = law.row.WeighList(weigher);
  } else if (!known) {
    law.weight = law.row.Weigh(weigher, law.support, kNoBound).total;
    law.summed = true;
    law.sums_c = c;
  }
}

// Draws n tokens: write(i, id) for the random word word(i), as row.h says of draws. REQUIRES:
// WeighLaw(law, c).
template <class Row, class Word, class Write>
TESSERA_HD void Draw(Law<Row>& law, float c, uint32_t n, Word word, Write write) {
  if (law.listed) return law.row.DrawFromList(law.weight, n, word, write);
  law.row.DrawFromSums(MakeWeigher(law.y_max(), c), law.support, law.weight, n, word, write);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_DRAW_H_

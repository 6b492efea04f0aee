// Draws tokens from a law (docs/numerics.md 5).
#ifndef TESSERA_KERNELS_ROW_DRAW_H_
#define TESSERA_KERNELS_ROW_DRAW_H_

#include <cstdint>

#include "kernels/math/wide.h"
#include "kernels/row/law.h"
#include "kernels/row/mass_search.h"

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

// The weight that tokens are drawn from: a last key may have only a part of its own.
template <class Row>
TESSERA_HD uint64_t DrawnWeight(const Law<Row>& law) {
  return law.target != 0 ? law.target : law.weight;
}

// The key at which the support's weight, the likeliest first, reaches `target`.
template <class Row>
TESSERA_HD TokenKey KeyAtWeight(Law<Row>& law, float c, uint64_t target) {
  if (law.listed) return law.row.FindListCut(target);
  MassSearch search;
  const double share = static_cast<double>(target) / static_cast<double>(law.weight);
  StartMassSearch(law, c, share < 1 ? share : 1, &search);
  const TokenKey key = EndMassSearch(law, c, target, &search);
  law.listed = law.summed = false;  // the list holds a part of the support
  return key;
}

// As Draw, but the inclusive weight is that in the order: the likeliest first.
template <class Row, class Word, class Write>
TESSERA_HD void DrawSorted(Law<Row>& law, float c, uint32_t n, Word word, Write write) {
  const uint64_t total = DrawnWeight(law);
  TESSERA_NO_UNROLL
  for (uint32_t i = 0; i < n; ++i) {
    const TokenKey key = KeyAtWeight(law, c, MulHi64(word(i), total) + 1);
    law.row.ForEach(n, [&](uint32_t j) {
      if (j == i) write(i, IdOf(key));
    });
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

// Draws tokens from a law (docs/numerics.md 5).
#ifndef TESSERA_KERNELS_ROW_DRAW_H_
#define TESSERA_KERNELS_ROW_DRAW_H_

#include <cstdint>

#include "kernels/math/wide.h"
#include "kernels/row/law.h"
#include "kernels/row/search.h"

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

// What the law's last key lacks of its own weight, where it keeps only the part that the prefix
// needs. REQUIRES: the weight is known.
template <class Row>
TESSERA_HD uint64_t MissingWeight(const Law<Row>& law) {
  const uint64_t target = law.row.noted_weight();
  return law.row.input().plan->partial && target != 0 ? law.weight - target : 0;
}

// The key at which the weight of a support too large to list, the likeliest first, reaches
// `target`.
template <class Row>
TESSERA_HD TokenKey KeyAtWeight(Law<Row>& law, const Weigher& weigher, uint64_t target) {
  int32_t lo = kOrderKeyNegInf + 1;
  int32_t hi = law.row.max_key();
  uint64_t above = 0;  // weight above hi
  TESSERA_NO_UNROLL
  while (lo < hi) {
    const int32_t middle = static_cast<int32_t>(lo + (int64_t{hi} - lo) / 2);
    const uint64_t weight = law.row.Weigh(weigher, law.support, middle).above;
    if (weight >= target) {
      lo = middle + 1;
    } else {
      hi = middle;
      above = weight;
    }
  }
  law.summed = false;
  const uint64_t tie_weight = WeightOf(weigher, FromOrderKey(lo));
  return law.row.NthTie(PartBetween(law.support, lo, lo),
                        static_cast<uint32_t>((target - above + tie_weight - 1) / tie_weight));
}

// As Draw, but the inclusive weight is that in the order: the likeliest first.
template <class Row, class Word, class Write>
TESSERA_HD void DrawSorted(Law<Row>& law, float c, uint32_t n, Word word, Write write) {
  const Weigher weigher = law.WeigherAt(c);
  const uint64_t total = law.weight - MissingWeight(law);
  TESSERA_NO_UNROLL
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t target = MulHi64(word(i), total) + 1;
    const TokenKey key =
        law.listed ? law.row.FindListCut(target) : KeyAtWeight(law, weigher, target);
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

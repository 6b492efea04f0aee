// Draws tokens from a law: the first id, in id order, whose inclusive weight exceeds
// r = floor(u * W / 2^64) for a 64-bit random word u (docs/numerics.md 5).
#ifndef TESSERA_KERNELS_ROW_DRAW_H_
#define TESSERA_KERNELS_ROW_DRAW_H_

#include <cstdint>

#include "kernels/math/wide.h"
#include "kernels/row/chunk_passes.h"
#include "kernels/row/law.h"

namespace tessera {

// Makes the law's cumulative weights under `c` known: of the list, or of the chunks.
template <class Passes>
void Accumulate(Law<Passes>& law, float c) {
  if (!law.summed || law.sums_c != c) law.ListIfShort();
  if (law.listed) {
    law.WeighList(c);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < law.list.size; ++i) law.list.weights[i] = sum += law.list.weights[i];
    law.weight = sum;
  } else if (!law.summed || law.sums_c != c) {
    law.weight =
        law.passes.Weigh(MakeWeigher(law.y_max, c), law.support, kNoBound, law.scratch.chunk_sums)
            .total;
    law.summed = true;
    law.sums_c = c;
  }
}

// REQUIRES: Accumulate(law, c).
template <class Passes>
TokenId Draw(Law<Passes>& law, float c, uint64_t u) {
  uint64_t r = MulHi64(u, law.weight);
  if (law.listed) {
    uint32_t first = 0;
    for (uint32_t size = law.list.size; size > 1;) {  // the first prefix above r
      const uint32_t half = size / 2;
      if (law.list.weights[first + half - 1] <= r) first += half;
      size -= half;
    }
    return IdOf(law.list.keys[first]);
  }
  uint32_t chunk = 0;
  while (law.scratch.chunk_sums[chunk] <= r) r -= law.scratch.chunk_sums[chunk++];
  return Resolve(law.passes, MakeWeigher(law.y_max, c), law.support, chunk, r);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_DRAW_H_

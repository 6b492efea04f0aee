// Cuts that look at tokens one after the other, the likeliest first: tail-free sampling and the
// first mirostat. What they look at is listed.
#ifndef TESSERA_KERNELS_ROW_CUT_RANKED_H_
#define TESSERA_KERNELS_ROW_CUT_RANKED_H_

#include <cstdint>

#include "kernels/math/log.h"
#include "kernels/math/wide.h"
#include "kernels/row/cut_count.h"
#include "kernels/row/law.h"
#include "kernels/row/row.h"
#include "kernels/row_input.h"
#include "kernels/stages/mirostat.h"

namespace tessera {

// Adds up v_i = |w_i - 2 w_(i+1) + w_(i+2)| of the list's weights in order until the sum exceeds
// the limit, which it may never do: the sum, and 1 + the number of sums within the limit.
struct Bends {
  uint64_t sum;
  uint32_t kept;
};

template <class Row>
TESSERA_HD Bends AddBends(Row& row, const Weigher& weigher, uint64_t limit) {
  uint64_t first = 0;
  uint64_t second = 0;
  Bends bends{0, 1};
  TESSERA_NO_UNROLL
  for (uint32_t rank = 0; rank < row.list_size(); ++rank) {
    if (rank % kRankedKeys == 0) row.RankFrom(rank);
    const uint64_t third = WeightOf(weigher, FromOrderKey(OrderKeyOf(row.RankedKey(rank))));
    if (rank >= 2) {
      const uint64_t outer = first + third;
      bends.sum += outer > 2 * second ? outer - 2 * second : 2 * second - outer;
      if (bends.sum > limit) break;
      ++bends.kept;
    }
    first = second;
    second = third;
  }
  return bends;
}

// REQUIRES: the support fits a list.
template <class Row>
TESSERA_HD void CutTailFree(Law<Row>& law, const Cut& cut) {
  Row& row = law.row;
  if (!law.listed) law.ListFrom(law.support.lo);
  if (row.list_size() < 3) return;
  const Weigher weigher = law.WeigherAt(cut.c);
  Bends bends{~uint64_t{0}, 0};
  TESSERA_NO_UNROLL
  for (int round = 0; round < 2; ++round) {  // the sum of all, and then up to its share
    bends = AddBends(row, weigher, round == 0 ? bends.sum : FloorMul(cut.value, bends.sum));
  }
  law.RaiseFloor(row.FindListCount(bends.kept));
}

// How many tokens mirostat keeps, from the sums over the likeliest: of t * b and of t^2.
TESSERA_HD_CALLED inline uint32_t MirostatCount(double tb, double tt, double mu, uint32_t columns) {
  const double slope = tb / tt;
  if (!(slope > 0)) return columns;
  const double e = slope - 1;
  const double spread = e == 0 ? 1 / Log(columns) : e / (1 - Pow(columns, -e));
  const double count = Pow(spread * Exp(mu * kLn2), 1 / slope);
  if (count >= static_cast<double>(columns)) return columns;
  return count >= 1 ? static_cast<uint32_t>(count) : 1;
}

// The count that mirostat keeps, from the first kMirostatTokens of the list.
template <class Row>
TESSERA_HD uint32_t CountOfMirostat(Row& row, const Cut& cut) {
  static_assert(kMirostatTokens <= kRankedKeys);
  row.RankFrom(0);
  double tb = 0, tt = 0;
  float last = FromOrderKey(OrderKeyOf(row.RankedKey(0)));
  TESSERA_NO_UNROLL
  for (uint32_t n = 2; n <= row.list_size() && n <= kMirostatTokens; ++n) {
    const float y = FromOrderKey(OrderKeyOf(row.RankedKey(n - 1)));
    const double t = Log(n / (n - 1.0));
    const double b = (static_cast<double>(last) - y) * static_cast<double>(cut.c) * kLn2;
    tb += t * b;
    tt += t * t;
    last = y;
  }
  if (tt == 0) return 1;  // a single token
  const RowInput& input = row.input();
  const double mu = input.has_state ? input.state[0] : 2 * cut.value;
  return MirostatCount(tb, tt, mu, row.columns());
}

// kCount, and kMirostatV1: which first looks at the likeliest tokens, and goes back for its count.
template <class Row>
TESSERA_HD void CutCounted(Law<Row>& law, const Cut& cut, float draw_c) {
  const bool mirostat = cut.kind == Cut::Kind::kMirostatV1;
  bool looking = mirostat && !law.listed;
  const TokenKey lo = law.support.lo;
  uint32_t count = mirostat ? kMirostatTokens : cut.count;
  if (mirostat && law.listed) count = CountOfMirostat(law.row, cut);
  TESSERA_NO_UNROLL
  while (true) {
    CutAfterCount(law, count, cut.ties, draw_c);
    if (!looking) return;
    looking = false;
    if (!law.listed) law.ListFrom(law.support.lo);  // fewer are left than asked for
    count = CountOfMirostat(law.row, cut);
    law.support.lo = lo;
    law.listed = law.summed = false;
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_CUT_RANKED_H_

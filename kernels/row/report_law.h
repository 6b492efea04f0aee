// Reports the law that a row's tokens are drawn from in integers: for whoever accepts drafts
// against it, or draws from it later.
#ifndef TESSERA_KERNELS_ROW_REPORT_LAW_H_
#define TESSERA_KERNELS_ROW_REPORT_LAW_H_

#include <cstdint>

#include "kernels/row/report.h"
#include "kernels/row/search.h"

namespace tessera {

// What a key of the law's support weighs in it.
template <class Row>
TESSERA_HD uint64_t WeightInLaw(const Row& row, const WeighedLaw& law, TokenKey key) {
  const uint64_t weight = WeightOf(WeigherOf(row, law), FromOrderKey(OrderKeyOf(key)));
  return key == law.support.lo ? weight - law.missing : weight;
}

// Writes the row's list to law_ids from entry `first` on.
template <class Row>
TESSERA_HD void WriteLawIds(Row& row, const WeighedLaw& law, uint32_t first) {
  row.ForEachListed([&](uint32_t i, TokenKey key) {
    row.result()->law_ids[first + i] = {IdOf(key), WeightInLaw(row, law, key)};
  });
}

// A support that no list holds is listed in pieces, the largest logits first.
template <class Row>
TESSERA_HD void ListLaw(Row& row, const WeighedLaw& law, uint32_t size) {
  if (law.listed) return WriteLawIds(row, law, 0);
  Interval part = law.support;
  TESSERA_NO_UNROLL
  for (uint32_t first = 0; first < size;) {
    Interval piece = part;
    const uint32_t left = size - first;
    const uint32_t n = left < row.list_capacity() ? left : row.list_capacity();
    if (n < left) piece.lo = NthKey(row, part, WeigherOf(row, law), n);
    row.Collect(piece);
    WriteLawIds(row, law, first);
    part.hi = piece.lo - 1;
    first += n;
  }
}

// Fills what RowResult says of the law, law_ids in any order. `law` is of the open view; what is
// listed stays listed, a law that is not loses the row's list.
template <class Row>
TESSERA_HD void FillLaw(Row& row, const WeighedLaw& law) {
  const uint32_t size = law.listed ? row.list_size() : row.Count(law.support);
  const auto scored = static_cast<uint32_t>(row.input().score_ids.size());
  row.ForEach(scored, [&](uint32_t i) {
    const TokenId id = row.input().score_ids[i];
    const float y = row.LogitAt(id);
    row.result()->law_weights[i] =
        law.Has(id, y) ? WeightInLaw(row, law, MakeTokenKey(OrderKey(y), id)) : 0;
  });
  const bool fits = size <= row.input().max_law_ids;
  if (fits) ListLaw(row, law, size);
  row.OnceAfterAll([&] {
    const Weigher weigher = WeigherOf(row, law);
    RowResult& result = *row.result();
    result.law = {law.support.lo, law.support.hi, weigher.y_max,
                  weigher.c,      law.weight,     law.missing};
    result.support_size = size;
    // Not a part of what the list was: a launch may be repeated on other logits.
    result.law_ids = {result.law_ids.data(), fits ? size : 0};
  });
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_REPORT_LAW_H_

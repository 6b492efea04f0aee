// A law: one row's support and how its tokens weigh. What draws and log-probabilities speak of.
#ifndef TESSERA_KERNELS_ROW_LAW_H_
#define TESSERA_KERNELS_ROW_LAW_H_

#include <cstdint>

#include "kernels/math/weight.h"
#include "kernels/row/interval.h"
#include "kernels/row/rewrite.h"
#include "kernels/row/row.h"

namespace tessera {

inline constexpr float kLog2EFloat = 0x1.715476p+0f;  // log2(e) / T at T = 1

// A support being narrowed. Small supports are *listed*: the row's list then holds every token key
// of the support, and no pass is needed any more. For large ones the kept mass per chunk may be
// known from the cut that made them.
template <class Row>
struct Law {
  Row& row;
  Interval support = AllCandidates();

  bool listed = false;

  bool summed = false;  // the row's sums are of the support, under sums_c
  float sums_c = 0;
  uint64_t weight = 0;  // of the support, where summed

  TESSERA_HD explicit Law(Row& law_row) : row(law_row) {}

  // The largest logit of the support. What the row knows is not held here, too.
  TESSERA_HD float y_max() const { return FromOrderKey(row.max_key()); }
  TESSERA_HD Weigher WeigherAt(float c) const { return MakeWeigher(y_max(), c); }

  // Lowers the support's end to `lo` (never raises it) and drops what a list holds below it.
  TESSERA_HD void RaiseFloor(TokenKey lo) {
    if (lo <= support.lo) return;
    support.lo = lo;
    summed = false;
    if (listed) row.KeepList(support.lo, support.hi);
  }

  // Makes a single key the support.
  TESSERA_HD void KeepOnly(TokenKey key) {
    support = {key, key};
    row.ListOnly(key);
    listed = true;
    summed = false;
  }

  // Rewrites the part of the row that is left, and goes on with all of the new row.
  TESSERA_HD void Apply(const Rewrite& rewrite, const Interval& part) {
    row.Apply(rewrite, part);
    support = AllCandidates();
    listed = summed = false;
  }

  // Lists the part of the support at or above `floor`; the number of its keys, which do not fit if
  // that is above the capacity. The law is listed if that part is all of the support.
  TESSERA_HD uint32_t ListFrom(TokenKey floor) {
    Interval part = support;
    if (floor > part.lo) part.lo = floor;
    const uint32_t size = row.Collect(part);
    listed = part.lo == support.lo && size <= row.list_capacity();
    return size;
  }

  // Lists a support that is probably short, instead of leaving it to passes.
  TESSERA_HD void ListIfShort() {
    constexpr uint32_t kShort = 1024;
    const bool narrowed = support.lo > AllCandidates().lo;
    if (!listed && narrowed && row.RoughCount(OrderKeyOf(support.lo)) <= kShort) {
      ListFrom(support.lo);
    }
  }
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_LAW_H_

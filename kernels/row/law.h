// A law: one row's support and how its tokens weigh. What draws and log-probabilities speak of.
#ifndef TESSERA_KERNELS_ROW_LAW_H_
#define TESSERA_KERNELS_ROW_LAW_H_

#include <cstdint>

#include "kernels/row/interval.h"
#include "kernels/row/passes.h"
#include "kernels/row/scratch.h"
#include "kernels/row/select.h"

namespace tessera {

inline constexpr float kLog2EFloat = 0x1.715476p+0f;  // log2(e) / T at T = 1

// A support being narrowed. Small supports are *listed*: `list` then holds every token key of the
// support in id order, and no pass is needed any more. For large ones the kept mass per chunk may
// be known from the cut that made them.
template <class Passes>
struct Law {
  Passes& passes;
  RowScratch& scratch;
  float y_max;  // the largest logit of the support
  Interval support = AllCandidates();

  bool listed = false;
  KeyList list{};  // weights are those of list_c, where list_weighed

  bool summed = false;  // scratch.chunk_sums holds the support's weights under sums_c
  float sums_c = 0;
  uint64_t weight = 0;  // their sum

  Law(Passes& row_passes, RowScratch& row_scratch, int32_t max_key)
      : passes(row_passes), scratch(row_scratch), y_max(FromOrderKey(max_key)) {
    list.keys = scratch.candidates;
    list.weights = scratch.weights;
  }

  KeyList work() { return {scratch.work, scratch.work_weights, 0}; }

  // Lowers the support's end to `lo` (never raises it) and drops what a list holds below it.
  void RaiseFloor(TokenKey lo) {
    if (lo <= support.lo) return;
    support.lo = lo;
    summed = false;
    if (listed) Compact();
  }

  // Lists the part of the support at or above `floor`; the list is complete if that is all of it.
  void ListFrom(TokenKey floor) {
    Interval part = support;
    if (floor > part.lo) part.lo = floor;
    list.size = passes.Collect(part, list.keys, scratch.columns);
    listed = part.lo == support.lo;
  }

  // Lists a support that is probably short, instead of leaving it to passes.
  void ListIfShort() {
    constexpr uint32_t kShort = 1024;
    const bool narrowed = support.lo > AllCandidates().lo;
    if (!listed && narrowed && passes.RoughCount(OrderKeyOf(support.lo)) <= kShort) {
      ListFrom(support.lo);
    }
  }

  // Fills the list's weights under `c`; their sum.
  uint64_t WeighList(float c) {
    passes.WeighKeys(MakeWeigher(y_max, c), list.keys, list.size, list.weights);
    return passes.MassAbove(list.keys, list.weights, list.size, 0);
  }

  // Keeps of the list what the support still holds.
  void Compact() { list.size = KeepBetween(passes, list, support.lo, support.hi, list); }
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_LAW_H_

// Applies a plan's cuts to a law, one after the other, each on what the one before left.
#ifndef TESSERA_KERNELS_ROW_NARROW_H_
#define TESSERA_KERNELS_ROW_NARROW_H_

#include <cstdint>

#include "kernels/math/wide.h"
#include "kernels/plan.h"
#include "kernels/row/law.h"

namespace tessera {

// The first `count` keys.
template <class Passes>
void CutAfterCount(Law<Passes>& law, uint32_t count) {
  if (count >= law.passes.row().columns) return;
  if (!law.listed) {
    const TokenKey floor = FloorKey(law.passes.CountFloor(count));
    law.ListFrom(floor);
    if (!law.listed && law.list.size >= count) {
      law.RaiseFloor(floor);  // the cut lies in the list, so the list is all that matters
      law.listed = true;
    } else if (!law.listed) {
      law.ListFrom(law.support.lo);  // the floor counted ids outside the support and fell short
    }
  }
  if (law.list.size <= count) return;
  KeyList keys{law.list.keys, nullptr, law.list.size};
  law.RaiseFloor(FindCut(law.passes, keys, count, law.work()));
}

// Keys whose weight is at least ceil(share * w_max).
template <class Passes>
void CutAtWeight(Law<Passes>& law, float c, double share) {
  const Weigher weigher = MakeWeigher(law.y_max, c);
  law.RaiseFloor(FloorKey(LowestKeyWithWeight(weigher, CeilScale(share))));
}

template <class Passes>
void CutListAfterMass(Law<Passes>& law, float c, double p, const uint64_t* joint_weight) {
  const uint64_t weight = law.WeighList(c);
  const uint64_t target = CeilMul(p, joint_weight != nullptr ? *joint_weight : weight);
  if (target > weight) return;  // joint: what is left does not reach p
  law.RaiseFloor(FindCut(law.passes, law.list, target > 0 ? target : 1, law.work()));
}

// The first place in [begin, end) of a list in id order whose id is at least `id`.
TESSERA_HD inline uint32_t PlaceOfId(const KeyList& list, uint32_t begin, uint32_t end,
                                     uint32_t id) {
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (static_cast<uint32_t>(IdOf(list.keys[middle])) < id) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// Adds the weights of the list's keys at or above `lo` to the sums of their chunks; their sum. The
// list is in id order. REQUIRES: lo > 0.
template <class Passes>
uint64_t AddToChunks(Passes& passes, const KeyList& list, TokenKey lo, uint64_t* chunk_sums) {
  uint64_t total = 0;
  for (uint32_t begin = 0; begin < list.size;) {
    const uint32_t chunk = static_cast<uint32_t>(IdOf(list.keys[begin])) / kChunkIds;
    const uint32_t most = list.size - begin < kChunkIds ? list.size : begin + kChunkIds;
    const uint32_t end = PlaceOfId(list, begin + 1, most, (chunk + 1) * kChunkIds);
    const uint64_t sum =
        passes.MassAbove(list.keys + begin, list.weights + begin, end - begin, lo - 1);
    chunk_sums[chunk] += sum;
    total += sum;
    begin = end;
  }
  return total;
}

// A bound a quarter further below the largest logit, for a bracket that ended too high.
TESSERA_HD inline int32_t Deeper(float y_max, int32_t order_key) {
  const float y = y_max - 1.25f * (y_max - FromOrderKey(order_key));
  return y > FromOrderKey(kOrderKeyNegInf) ? OrderKey(y) : kOrderKeyNegInf;
}

// The smallest prefix whose weight reaches ceil(p * W), on a support too large to list. A bracket
// is guessed, the mass above it summed on the way to W, and what lies inside it listed. If the cut
// turns out to lie elsewhere the bracket is widened, so the guess decides time and nothing else.
template <class Passes>
void CutAfterMass(Law<Passes>& law, float c, double p, const uint64_t* joint_weight) {
  law.ListIfShort();
  if (law.listed) return CutListAfterMass(law, c, p, joint_weight);
  const Weigher weigher = MakeWeigher(law.y_max, c);
  uint64_t* sums = law.scratch.chunk_sums;
  OrderBracket bracket = law.passes.GuessMassBracket(weigher, p);
  const bool from_top = bracket.hi == kOrderKeyPosInf;
  WeighTotals totals =
      law.passes.Weigh(weigher, law.support, from_top ? kNoBound : bracket.hi, sums);
  if (from_top) totals.above = 0;
  uint64_t target = CeilMul(p, joint_weight != nullptr ? *joint_weight : totals.total);
  if (target > totals.total) return;
  if (target == 0) target = 1;
  if (totals.above >= target) {
    bracket = {bracket.hi, kOrderKeyPosInf};
    totals.above = 0;
  }
  const Interval support = law.support;
  uint64_t inside = 0;
  for (int attempt = 0;; ++attempt) {
    law.support.hi = bracket.hi == kOrderKeyPosInf ? support.hi : FloorKey(bracket.hi + 1) - 1;
    law.ListFrom(attempt < 2 ? FloorKey(bracket.lo) : support.lo);
    inside = law.WeighList(c);
    if (totals.above + inside >= target) break;
    bracket.lo = Deeper(law.y_max, bracket.lo);
  }
  law.support = support;
  law.listed = totals.above == 0;
  const TokenKey lo = FindCut(law.passes, law.list, target - totals.above, law.work());
  if (law.listed) return law.RaiseFloor(lo);
  law.support.lo = lo > support.lo ? lo : support.lo;
  law.weight = totals.above + AddToChunks(law.passes, law.list, lo, sums);
  law.summed = true;
  law.sums_c = c;
}

template <class Passes>
void Narrow(Law<Passes>& law, const Plan& plan) {
  for (int32_t i = 0; i < plan.cut_count; ++i) {
    const Cut& cut = plan.cuts[i];
    switch (cut.kind) {
      case Cut::Kind::kCount:
        CutAfterCount(law, cut.count);
        break;
      case Cut::Kind::kWeightOfMax:
        CutAtWeight(law, cut.c, cut.value);
        break;
      case Cut::Kind::kMass: {
        if (!cut.joint) {
          CutAfterMass(law, cut.c, cut.value, nullptr);
          break;
        }
        const uint64_t all = law.passes
                                 .Weigh(MakeWeigher(law.y_max, cut.c), AllCandidates(), kNoBound,
                                        law.scratch.chunk_sums)
                                 .total;
        law.summed = false;
        CutAfterMass(law, cut.c, cut.value, &all);
        break;
      }
    }
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_NARROW_H_

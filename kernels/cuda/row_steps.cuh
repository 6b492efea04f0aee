// The steps of a team: what the row algorithm asks of a row, one called function each.
#ifndef TESSERA_KERNELS_CUDA_ROW_STEPS_CUH_
#define TESSERA_KERNELS_CUDA_ROW_STEPS_CUH_

#include <cstdint>

#include "kernels/cuda/bracket_bins.cuh"
#include "kernels/cuda/chunk_max.cuh"
#include "kernels/cuda/collect_keys.cuh"
#include "kernels/cuda/count_larger.cuh"
#include "kernels/cuda/findings.cuh"
#include "kernels/cuda/mass_bracket.cuh"
#include "kernels/cuda/open_view.cuh"
#include "kernels/cuda/row_memory.cuh"
#include "kernels/cuda/weigh_part.cuh"
#include "kernels/row/search.h"

namespace tessera::cuda {

// Makes a view the open one.
TESSERA_STEP void OpenViewStep(RowMemory& memory, View view) {
  RowKnown& known = memory.known;
  if (view == View::kMasked && memory.place.input->grammar.empty()) view = View::kReceived;
  if (view == View::kReceived && !memory.place.copied) view = View::kEdited;
  if (known.opened && view == known.view) return;
  Team team(memory.team);
  team.Sync();  // what is known of the last view is read no more
  if (threadIdx.x == 0) memory.elements = ElementsOf(memory.place, memory.part, view);
  if (view == View::kEdited) BringEdited(memory);
  __syncthreads();
  const Elements elements = memory.elements;
  const bool arriving = view == View::kEdited && memory.place.arrives_by_bulk;
  int32_t best = kOrderKeyNegInf;
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    if (arriving) AwaitChunk(memory, chunk);
    const int32_t max = MaxOfChunk(elements, chunk);
    if (threadIdx.x % 32 == 0) memory.chunk_maxima[chunk] = max;
    best = max > best ? max : best;
  });
  best = team.Max(best);
  if (threadIdx.x == 0) {
    known.opened = true;
    known.view = view;
    known.max_key = best;
    known.weighed = known.counted = known.sums_read = false;
  }
  team.End();
}

TESSERA_STEP TokenId FirstInvalidStep(RowMemory& memory) {
  Team team(memory.team);
  const Elements elements = memory.elements;
  int32_t best = INT32_MIN;
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    if (memory.chunk_maxima[chunk] != kInvalidKey) return;
    ForEachVector(elements, chunk, [&](uint32_t id, const float(&y)[kVectorIds]) {
      TESSERA_UNROLL
      for (uint32_t i = 0; i < kVectorIds; ++i) {
        const int32_t place = -static_cast<int32_t>(id + i);
        if (IsInvalid(OrderKey(y[i])) && place > best) best = place;
      }
    });
  });
  best = team.Max(best);
  team.End();
  return -best;
}

// Weighs a support; the sums of chunks are those of its part above a bound.
TESSERA_STEP WeighTotals WeighStep(RowMemory& memory, Weigher weigher, Interval support,
                                   int32_t above) {
  RowKnown& known = memory.known;
  const Interval all = AllCandidates();
  const bool whole = support.lo == all.lo && support.hi == all.hi && above == kNoBound;
  if (whole && known.weighed && known.weighed_c == weigher.c) return {known.whole, known.whole};
  Team team(memory.team);
  if (known.sums_read) team.Sync();  // other blocks may still read the last sums
  const Elements elements = memory.elements;
  const PartQuestion question{elements, memory.part,      memory.chunk_maxima,
                              weigher,  Support(support), above};
  WeighTotals totals;
  const auto tell = [&](uint32_t chunk, uint64_t sum) {
    team.TellAll(&memory.chunk_sums[chunk], sum);
  };
  if (whole) {
    WeighPart<true, true, false>(question, nullptr, &totals, tell);
  } else {
    WeighPart<false, true, false>(question, nullptr, &totals, tell);
  }
  team.Sum(&totals.total, &totals.above);
  if (threadIdx.x == 0) {
    known.sums_read = false;
    known.weighed = whole;
    known.weighed_c = weigher.c;
    known.whole = totals.total;
  }
  team.End();
  return totals;
}

// Counts all candidates by their distance from the largest logit, and weighs them on the way if
// wanted.
template <bool kWeigh>
__device__ __forceinline__ void CountByDistance(RowMemory& memory, Team& team,
                                                const Weigher& weigher) {
  team.Sync();  // other blocks may still read the last sums and counts
  if (threadIdx.x < kBins) memory.counts[threadIdx.x] = 0;
  __syncthreads();
  const Elements elements = memory.elements;
  const PartQuestion question{
      elements, memory.part, memory.chunk_maxima, weigher, Support(AllCandidates()), kNoBound};
  WeighTotals totals;
  WeighPart<true, kWeigh, true>(
      question, memory.counts, &totals,
      [&](uint32_t chunk, uint64_t sum) { team.TellAll(&memory.chunk_sums[chunk], sum); });
  team.Sum(&totals.total, &totals.above);
  GatherCounts(memory, team);
  if (threadIdx.x == 0) {
    RowKnown& known = memory.known;
    known.counted = true;
    known.counted_c = weigher.c;
    if (kWeigh) {
      known.sums_read = false;
      known.weighed = true;
      known.weighed_c = weigher.c;
      known.whole = totals.total;
    }
  }
  __syncthreads();
}

TESSERA_STEP int32_t CountFloorStep(RowMemory& memory, uint32_t k, float c) {
  Team team(memory.team);
  const Weigher weigher = MakeWeigher(FromOrderKey(memory.known.max_key), c);
  if (!memory.known.counted || memory.known.counted_c != c) {
    CountByDistance<false>(memory, team, weigher);
  }
  const int32_t floor = FloorOfCount(memory, team.block(), weigher, k);
  team.End();
  return floor;
}

TESSERA_STEP OrderBracket MassBracketStep(RowMemory& memory, Weigher weigher, double p) {
  Team team(memory.team);
  const RowKnown& known = memory.known;
  if (!known.weighed || !known.counted || known.weighed_c != weigher.c ||
      known.counted_c != weigher.c) {
    CountByDistance<true>(memory, team, weigher);
  }
  const OrderBracket bracket = BracketOfMass(memory, team.block(), weigher, p);
  team.End();
  return bracket;
}

// Looks into a bracket with as many bins as there are.
TESSERA_STEP OrderBracket GuessWithinStep(RowMemory& memory, Interval support, OrderBracket bracket,
                                          Measure measure, uint64_t rest) {
  Team team(memory.team);
  team.Sync();  // other blocks may still read the last counts
  if (threadIdx.x < kBins) memory.counts[threadIdx.x] = 0;
  __syncthreads();
  const BracketBins bins(bracket, measure.weigher);
  const Elements elements = memory.elements;
  CountByBin(memory, elements, Support(PartBetween(support, bracket.lo, bracket.hi)), bins);
  team.Sync();
  GatherCounts(memory, team);
  const OrderBracket guess = GuessFromCounts(memory, team.block(), bins, measure, rest);
  if (threadIdx.x == 0) memory.known.counted = false;
  team.End();
  return guess;
}

TESSERA_STEP uint32_t CountStep(RowMemory& memory, Interval interval) {
  Team team(memory.team);
  const Elements elements = memory.elements;
  const Support support(interval);
  uint32_t count = 0;
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    if (memory.chunk_maxima[chunk] < support.lo_key) return;
    ForEachElement(elements, support, chunk,
                   [&](uint32_t, float, bool inside) { count += inside ? 1 : 0; });
  });
  const uint64_t sum = team.Sum(uint64_t{count});
  team.End();
  return static_cast<uint32_t>(sum);
}

TESSERA_STEP EntropySums EntropyStep(RowMemory& memory, Weigher weigher, Interval support) {
  Team team(memory.team);
  const Elements elements = memory.elements;
  const PartQuestion question{elements, memory.part,      memory.chunk_maxima,
                              weigher,  Support(support), kNoBound};
  EntropySums sums;
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    if (!question.MayMatter(chunk)) return;
    ForEachElement(elements, question.support, chunk, [&](uint32_t, float y, bool inside) {
      const uint64_t weight = inside ? WeightOf(weigher, y) : 0;
      sums.weight += weight;
      sums.energy += EntropyTerm(weight, DistanceOf(weigher, y));
    });
  });
  team.Sum(&sums.weight, &sums.energy);
  team.End();
  return sums;
}

// Lists the support in every block; how many keys it has, which may be too many to list.
TESSERA_STEP uint32_t CollectStep(RowMemory& memory, Interval support) {
  Team team(memory.team);
  const Elements elements = memory.elements;
  const uint32_t found = LocateKeys(memory, team, elements, Support(support));
  if (found <= kListCapacity) WriteKeys(memory, team, elements, Support(support));
  if (threadIdx.x == 0) memory.known.list_size = found;
  team.End();
  return found;
}

// The n-th key of a support in id order, from 1.
TESSERA_STEP TokenKey NthKeyStep(RowMemory& memory, Interval support, uint32_t n) {
  Team team(memory.team);
  const Elements elements = memory.elements;
  LocateKeys(memory, team, elements, Support(support));
  const TokenKey key = KeyAtPlace(memory, team, elements, Support(support), n - 1);
  team.End();
  return key;
}

// REQUIRES: every block holds the n asked keys. Ends with a barrier of the team.
TESSERA_STEP void CountLargerStep(RowMemory& memory, Interval support, uint32_t n) {
  Team team(memory.team);
  const Elements elements = memory.elements;
  CountLargerInPart(memory, elements, Support(support), n);
  team.Sync();
  team.End();
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_ROW_STEPS_CUH_

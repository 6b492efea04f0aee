// Finds where a list of keys in shared memory must be cut so that the part above reaches a mass or
// a count. Every thread of the block calls these functions together.
//
// Exact for any list: pivots only decide how fast. Each round sums the keys above three of them
// with one barrier and keeps what lies between two; when few keys are left, each is compared with
// all the others.
#ifndef TESSERA_KERNELS_CUDA_LIST_SELECT_CUH_
#define TESSERA_KERNELS_CUDA_LIST_SELECT_CUH_

#include <cstdint>

#include "kernels/cuda/list_range.cuh"

namespace tessera::cuda {

inline constexpr uint32_t kPivots = 3;
inline constexpr uint32_t kPairs = 64;  // keys that are compared pair by pair

// Rounds with pivots sampled from the list; four serve any list that was not made to defeat them.
// Later rounds split the range of keys evenly: 29 of them leave 64 keys of any list.
inline constexpr uint32_t kSampledRounds = 8;

// The cut is the largest key of the range such that it and the range's keys above it together weigh
// at least `target`.
struct CutSearch {
  KeyRange range;
  uint32_t count;   // keys in the range
  uint64_t target;  // at least 1, at most what the range weighs
};

// Pivots in the range, the same in every thread.
__device__ __forceinline__ Values<kPivots> ChoosePivots(const KeyRange& range, const TokenKey* keys,
                                                        uint32_t size, uint32_t round) {
  const uint32_t lane = LaneIndex();
  const TokenKey key = keys[(lane * 32 + round * 11 % 32) * size / 1024];
  const bool inside = range.Has(key);
  const uint32_t lanes = __ballot_sync(kAllLanes, inside);
  const uint32_t found = static_cast<uint32_t>(__popc(lanes));
  const uint32_t rank = static_cast<uint32_t>(__popc(lanes & ((1u << lane) - 1)));
  const bool sampled = round < kSampledRounds && found >= kPivots;
  Values<kPivots> pivots;
  TESSERA_UNROLL
  for (uint32_t k = 0; k < kPivots; ++k) {
    const uint32_t wanted = found * (k + 1) / (kPivots + 1);
    const int source = __ffs(static_cast<int>(__ballot_sync(kAllLanes, inside && rank == wanted)));
    const TokenKey sample = __shfl_sync(kAllLanes, key, source - 1);
    const TokenKey even = range.lo + (range.hi - range.lo) / (kPivots + 1) * (k + 1);
    pivots.v[k] = sampled ? sample : even;
  }
  return pivots;
}

// What the keys of the range at or above each pivot weigh, and behind these three sums the numbers
// of those keys, 16 bits each.
__device__ __forceinline__ Values<kPivots + 1> SumAbovePivots(const KeyRange& range,
                                                              const Values<kPivots>& pivots,
                                                              const TokenKey* keys, uint32_t size,
                                                              const KeyWeight& weight,
                                                              BlockScratch& scratch) {
  Values<kPivots + 1> sums{};
  if (WarpIndex() * 32 < size) {
    uint32_t counts = 0;  // 10 bits each: a warp has at most 8 * 32 keys
    TESSERA_NO_UNROLL
    for (uint32_t i = ThreadIndex(); i < size; i += kThreads) {
      const TokenKey key = keys[i];
      if (!range.Has(key)) continue;
      const uint64_t w = weight.Of(key);
      TESSERA_UNROLL
      for (uint32_t k = 0; k < kPivots; ++k) {
        if (key < pivots.v[k]) continue;
        sums.v[k] += w;
        counts += 1u << 10 * k;
      }
    }
    TESSERA_UNROLL
    for (uint32_t k = 0; k < kPivots; ++k) sums.v[k] = WarpSumOfWeights(sums.v[k]);
    counts = WarpSum(counts);
    sums.v[kPivots] =
        (counts & 0x3FF) | uint64_t{counts >> 10 & 0x3FF} << 16 | uint64_t{counts >> 20} << 32;
  }
  return SumOverWarps(sums, scratch);
}

// Keeps the part of the range between two pivots that has the cut.
__device__ __forceinline__ void Narrow(const Values<kPivots>& pivots,
                                       const Values<kPivots + 1>& sums, CutSearch* search) {
  uint32_t from = search->count;  // keys at or above the new lo
  uint32_t beyond = 0;            // keys above the new hi, and their weight
  uint64_t beyond_weight = 0;
  TESSERA_UNROLL
  for (uint32_t k = 0; k < kPivots; ++k) {
    const TokenKey pivot = pivots.v[k];
    const uint32_t count = static_cast<uint32_t>(sums.v[kPivots] >> 16 * k) & 0xFFFF;
    if (sums.v[k] >= search->target) {
      if (pivot < search->range.lo) continue;
      search->range.lo = pivot;
      from = count;
    } else if (pivot <= search->range.hi) {  // and above the old lo, where the target is reached
      search->range.hi = pivot - 1;
      beyond = count;
      beyond_weight = sums.v[k];
    }
  }
  search->count = from - beyond;
  search->target -= beyond_weight;
}

// The cut of at most kPairs keys. A warp compares one key with all of them, two a lane.
__device__ __forceinline__ TokenKey CutByPairs(const TokenKey* keys, uint32_t size, uint64_t target,
                                               const KeyWeight& weight, BlockScratch& scratch) {
  uint64_t* const cut = scratch.Next();
  const uint32_t lane = LaneIndex();
  const TokenKey low = lane < size ? keys[lane] : 0;
  const TokenKey high = lane + 32 < size ? keys[lane + 32] : 0;
  const uint64_t low_weight = lane < size ? weight.Of(low) : 0;
  const uint64_t high_weight = lane + 32 < size ? weight.Of(high) : 0;
  TESSERA_NO_UNROLL
  for (uint32_t i = WarpIndex(); i < size; i += kWarps) {
    const TokenKey key = keys[i];
    const uint64_t own = __shfl_sync(kAllLanes, i < 32 ? low_weight : high_weight, i % 32);
    const uint64_t sum =
        WarpSumOfWeights((low >= key ? low_weight : 0) + (high >= key ? high_weight : 0));
    if (sum >= target && sum - own < target && lane == 0) *cut = key;
  }
  __syncthreads();
  return *cut;
}

// The largest key such that it and the keys above it together weigh at least `target`. REQUIRES:
// distinct keys, 0 < target <= their weight. `work` holds kThreads keys.
__device__ __forceinline__ TokenKey FindCut(const TokenKey* keys, uint32_t size, uint64_t target,
                                            const KeyWeight& weight, TokenKey* work,
                                            BlockScratch& scratch) {
  CutSearch search{{}, size, target};
  TESSERA_NO_UNROLL
  for (uint32_t round = 0; search.count > kPairs; ++round) {
    const Values<kPivots> pivots = ChoosePivots(search.range, keys, size, round);
    Narrow(pivots, SumAbovePivots(search.range, pivots, keys, size, weight, scratch), &search);
    const bool shorter = search.count <= (size > kThreads ? kThreads : kPairs);
    if (!shorter) continue;
    Gather(search.range, keys, size, work, scratch);
    keys = work;
    size = search.count;
  }
  return CutByPairs(keys, size, search.target, weight, scratch);
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_LIST_SELECT_CUH_

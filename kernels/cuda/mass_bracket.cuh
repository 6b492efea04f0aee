// Where a count or a mass ends, as far as the counts of ids by distance from the largest logit can
// tell. What is told is a guess: the row algorithm checks it.
#ifndef TESSERA_KERNELS_CUDA_MASS_BRACKET_CUH_
#define TESSERA_KERNELS_CUDA_MASS_BRACKET_CUH_

#include <cstdint>

#include "kernels/cuda/row_memory.cuh"
#include "kernels/math/wide.h"

namespace tessera::cuda {

inline constexpr uint32_t kSpareBins = 2;  // beyond where a mass seems to end

static_assert(kBins <= kThreads, "a thread for each bin");

// Adds up the counts of all blocks, in each of them.
__device__ __forceinline__ void GatherCounts(RowMemory& memory, const Team& team) {
  if (threadIdx.x < kBins) {
    uint32_t sum = 0;
    for (uint32_t r = 0; r < team.blocks(); ++r) sum += *team.Peer(&memory.counts[threadIdx.x], r);
    memory.team_counts[threadIdx.x] = sum;
  }
  __syncthreads();
}

// The first bin at which the inclusive sum of `mine` (the value of bin threadIdx.x) reaches
// `target`; kBins if none does. `before`: the sum of lower bins, of the calling thread's bin.
__device__ __forceinline__ uint32_t FirstBinReaching(RowMemory& memory, BlockScratch& scratch,
                                                     uint64_t mine, uint64_t target) {
  uint64_t total;
  const uint64_t before = BlockExclusiveSum(mine, scratch, &total);
  if (total < target) return kBins;
  if (before < target && before + mine >= target) memory.answer = threadIdx.x;
  __syncthreads();
  return static_cast<uint32_t>(memory.answer);
}

__device__ __forceinline__ uint64_t TeamCountOfBin(const RowMemory& memory) {
  return threadIdx.x < kBins ? memory.team_counts[threadIdx.x] : 0;
}

__device__ __forceinline__ int32_t FloorOfCount(RowMemory& memory, BlockScratch& scratch,
                                                const Weigher& weigher, uint32_t k) {
  const uint32_t bin = FirstBinReaching(memory, scratch, TeamCountOfBin(memory), k);
  return bin < kBins ? EndOfBin(weigher, bin) : kOrderKeyNegInf;
}

// Where the first p of the mass probably ends: from the top where a list of that is short,
// otherwise a few bins. As if all ids of a bin weighed what its middle does, which is wrong for the
// whole and for a part of it in nearly the same proportion.
__device__ __forceinline__ OrderBracket BracketOfMass(RowMemory& memory, BlockScratch& scratch,
                                                      const Weigher& weigher, double p) {
  const uint64_t count = TeamCountOfBin(memory);
  const uint64_t ends = WeightOfQuarters(threadIdx.x) + WeightOfQuarters(threadIdx.x + 1);
  const uint64_t middling = count * (ends / 2);
  uint64_t whole;
  BlockExclusiveSum(middling, scratch, &whole);
  const uint64_t part = CeilMul(p, whole);
  const uint32_t likely = FirstBinReaching(memory, scratch, middling, part > 0 ? part : 1);
  if (likely == kBins) return {kOrderKeyNegInf, kOrderKeyPosInf};
  uint64_t listed;
  BlockExclusiveSum(threadIdx.x <= likely + kSpareBins ? count : 0, scratch, &listed);
  const bool fits = listed <= kListCapacity || likely <= kSpareBins;
  return {EndOfBin(weigher, likely + kSpareBins),
          fits ? kOrderKeyPosInf : EndOfBin(weigher, likely - kSpareBins) - 1};
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_MASS_BRACKET_CUH_

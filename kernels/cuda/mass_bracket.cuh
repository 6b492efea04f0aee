// Where a count or a mass ends, as far as the counts of ids by distance from the largest logit can
// tell. What is told is a guess: the row algorithm checks it.
#ifndef TESSERA_KERNELS_CUDA_MASS_BRACKET_CUH_
#define TESSERA_KERNELS_CUDA_MASS_BRACKET_CUH_

#include <cstdint>

#include "kernels/cuda/row_memory.cuh"

namespace tessera::cuda {

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

// `target` is a weight, at least 1. Ids of a bin weigh at least as if they all stood at its far
// end, and at most as at its near end: the boundary lies between the bins where the two sums reach
// the target.
__device__ __forceinline__ OrderBracket BracketOfMass(RowMemory& memory, BlockScratch& scratch,
                                                      const Weigher& weigher, uint64_t target) {
  const uint64_t count = TeamCountOfBin(memory);
  const uint64_t least = count * WeightOfQuarters(threadIdx.x + 1, false);
  const uint64_t most = count * WeightOfQuarters(threadIdx.x, true);
  const uint32_t deep = FirstBinReaching(memory, scratch, least, target);
  OrderBracket bracket{deep < kBins ? EndOfBin(weigher, deep) : kOrderKeyNegInf, kOrderKeyPosInf};
  uint64_t listed;
  BlockExclusiveSum(threadIdx.x <= deep ? count : 0, scratch, &listed);
  if (deep < kBins && listed <= kListCapacity) return bracket;
  const uint32_t high = FirstBinReaching(memory, scratch, most, target);
  if (high > 0 && high < kBins) bracket.hi = EndOfBin(weigher, high - 1) - 1;
  if (bracket.hi < bracket.lo) bracket.hi = kOrderKeyPosInf;
  return bracket;
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_MASS_BRACKET_CUH_

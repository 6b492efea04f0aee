// Draws from a support that no list holds: the chunk from the sums of all chunks, the id by
// weighing that chunk once more.
#ifndef TESSERA_KERNELS_CUDA_DRAW_FROM_SUMS_CUH_
#define TESSERA_KERNELS_CUDA_DRAW_FROM_SUMS_CUH_

#include <cstdint>

#include "kernels/cuda/row_memory.cuh"
#include "kernels/cuda/weigh_part.cuh"
#include "kernels/math/wide.h"

namespace tessera::cuda {

// Makes the sums of chunks inclusive.
__device__ __forceinline__ void AccumulateSums(RowMemory& memory, BlockScratch& scratch) {
  const uint32_t chunks = (memory.place.columns + kChunkIds - 1) / kChunkIds;
  const uint32_t first = threadIdx.x * kChunksPerThread;
  uint64_t sum = 0;
  TESSERA_UNROLL
  for (uint32_t chunk = first; chunk < first + kChunksPerThread; ++chunk) {
    if (chunk < chunks) sum += memory.chunk_sums[chunk];
  }
  uint64_t total;
  uint64_t inclusive = BlockExclusiveSum(sum, scratch, &total);
  TESSERA_UNROLL
  for (uint32_t chunk = first; chunk < first + kChunksPerThread; ++chunk) {
    if (chunk >= chunks) break;
    inclusive += memory.chunk_sums[chunk];
    memory.chunk_sums[chunk] = inclusive;
  }
  __syncthreads();
}

// The first chunk whose inclusive sum exceeds r.
__device__ __forceinline__ uint32_t ChunkAbove(const RowMemory& memory, uint32_t chunks,
                                               uint64_t r) {
  uint32_t first = 0;
  TESSERA_NO_UNROLL
  for (uint32_t size = chunks; size > 1;) {
    const uint32_t half = size / 2;
    if (memory.chunk_sums[first + half - 1] <= r) first += half;
    size -= half;
  }
  return first;
}

// Calls found(id) in one lane: for the first id of the chunk at which the inclusive weight exceeds
// r. Called by a whole warp.
template <class Found>
__device__ __forceinline__ void ResolveInChunk(const PartQuestion& question, uint32_t chunk,
                                               uint64_t r, Found found) {
  uint64_t base = 0;
  ForEachVector(question.elements, chunk, [&](uint32_t id, const float(&y)[kVectorIds]) {
    uint64_t weights[kVectorIds];
    uint64_t sum = 0;
    TESSERA_UNROLL
    for (uint32_t i = 0; i < kVectorIds; ++i) {
      weights[i] = question.support.Has(id + i, y[i]) ? WeightOf(question.weigher, y[i]) : 0;
      sum += weights[i];
    }
    const uint64_t until = base + WarpInclusiveSum(sum);
    if (r >= until - sum && r < until) {
      uint64_t inclusive = until - sum;
      bool open = true;
      TESSERA_UNROLL
      for (uint32_t i = 0; i < kVectorIds; ++i) {
        inclusive += weights[i];
        if (open && inclusive > r) {
          found(static_cast<TokenId>(id + i));
          open = false;
        }
      }
    }
    base = __shfl_sync(kAllLanes, until, 31);
  });
}

// Finds those of n draws that fall into this block's part and tells the leading block.
// REQUIRES: AccumulateSums.
__device__ __forceinline__ void DrawInPart(RowMemory& memory, const Team& team,
                                           const PartQuestion& question, uint64_t total,
                                           uint32_t n) {
  const uint32_t chunks = (question.elements.columns + kChunkIds - 1) / kChunkIds;
  TESSERA_NO_UNROLL
  for (uint32_t i = threadIdx.x / 32; i < n; i += kWarps) {
    const uint64_t r = MulHi64(memory.words[i], total);
    const uint32_t chunk = ChunkAbove(memory, chunks, r);
    if (chunk < question.part.first || chunk >= question.part.end) continue;
    const uint64_t before = chunk > 0 ? memory.chunk_sums[chunk - 1] : 0;
    ResolveInChunk(question, chunk, r - before,
                   [&](TokenId id) { *team.Peer(&memory.draws[i], 0) = id; });
  }
}

// Draws with the n words that every block holds; the leading block has the ids afterwards.
TESSERA_STEP void DrawFromSumsStep(RowMemory& memory, Weigher weigher, Interval support,
                                   uint64_t total, uint32_t n) {
  Team team(memory.team);
  const Elements elements = memory.elements;
  AccumulateSums(memory, team.block());
  const PartQuestion question{elements, memory.part,      memory.chunk_maxima,
                              weigher,  Support(support), kNoBound};
  DrawInPart(memory, team, question, total, n);
  team.Sync();
  if (threadIdx.x == 0) {
    memory.known.weighed = false;
    memory.known.sums_read = true;
  }
  team.End();
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_DRAW_FROM_SUMS_CUH_

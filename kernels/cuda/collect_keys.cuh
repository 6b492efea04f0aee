// Lists the keys of a support in id order, in every block of the team; or finds one of them by its
// place in that order. The places of a chunk's keys are known first, so no order of threads shows.
#ifndef TESSERA_KERNELS_CUDA_COLLECT_KEYS_CUH_
#define TESSERA_KERNELS_CUDA_COLLECT_KEYS_CUH_

#include <cstdint>

#include "kernels/cuda/row_memory.cuh"

namespace tessera::cuda {

// Fills chunk_places: for each chunk of this block's part, how many keys of the support stand
// before it in the row. How many there are in all.
__device__ __forceinline__ uint32_t LocateKeys(RowMemory& memory, Team& team,
                                               const Elements& elements, const Support& support) {
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    uint32_t count = 0;
    if (memory.chunk_maxima[chunk] >= support.lo_key) {
      count = CountInChunk(elements, support, chunk);
    }
    if (threadIdx.x % 32 == 0) memory.chunk_places[chunk] = count;
  });
  __syncthreads();
  const uint32_t first = memory.part.first + threadIdx.x * kChunksPerThread;
  const uint32_t end = memory.part.end;
  uint64_t count = 0;
  TESSERA_UNROLL
  for (uint32_t chunk = first; chunk < first + kChunksPerThread; ++chunk) {
    if (chunk < end) count += memory.chunk_places[chunk];
  }
  uint64_t here;
  uint64_t total;
  const uint64_t before = BlockExclusiveSum(count, team.block(), &here);
  const uint64_t earlier_blocks = team.ExclusiveSum(here, &total);
  auto place = static_cast<uint32_t>(earlier_blocks + before);
  TESSERA_UNROLL
  for (uint32_t chunk = first; chunk < first + kChunksPerThread; ++chunk) {
    if (chunk >= end) break;
    const uint32_t here_found = memory.chunk_places[chunk];
    memory.chunk_places[chunk] = place;
    place += here_found;
  }
  __syncthreads();
  return static_cast<uint32_t>(total);
}

// Calls visit(place, key) for the keys of the support in this block's part.
template <class Visit>
__device__ __forceinline__ void ForEachPlacedKey(const RowMemory& memory, const Elements& elements,
                                                 const Support& support, Visit visit) {
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    if (memory.chunk_maxima[chunk] < support.lo_key) return;
    uint32_t base = memory.chunk_places[chunk];
    ForEachVector(elements, chunk, [&](uint32_t id, const float(&y)[kVectorIds]) {
      uint32_t inside = 0;  // a bit for each id
      TESSERA_UNROLL
      for (uint32_t i = 0; i < kVectorIds; ++i) {
        inside |= (support.Has(id + i, y[i]) ? 1u : 0u) << i;
      }
      if (__ballot_sync(kAllLanes, inside != 0) == 0) return;
      const auto count = static_cast<uint32_t>(__popc(inside));
      const uint32_t until = WarpInclusiveSum(count);
      uint32_t place = base + until - count;
      TESSERA_UNROLL
      for (uint32_t i = 0; i < kVectorIds; ++i) {
        if ((inside >> i & 1) == 0) continue;
        visit(place, MakeTokenKey(OrderKey(y[i]), static_cast<int32_t>(id + i)));
        ++place;
      }
      base += __shfl_sync(kAllLanes, until, 31);
    });
  });
}

// REQUIRES: LocateKeys of the same support, which fits the list.
__device__ __forceinline__ void WriteKeys(RowMemory& memory, Team& team, const Elements& elements,
                                          const Support& support) {
  ForEachPlacedKey(memory, elements, support, [&](uint32_t place, TokenKey key) {
    for (uint32_t r = 0; r < team.blocks(); ++r) *team.Peer(&memory.list.keys[place], r) = key;
  });
  team.Sync();
}

// The key at a place, from 0. REQUIRES: LocateKeys of the same support, which holds it.
__device__ __forceinline__ TokenKey KeyAtPlace(RowMemory& memory, Team& team,
                                               const Elements& elements, const Support& support,
                                               uint32_t wanted) {
  ForEachPlacedKey(memory, elements, support, [&](uint32_t place, TokenKey key) {
    if (place != wanted) return;
    for (uint32_t r = 0; r < team.blocks(); ++r) *team.Peer(&memory.answer, r) = key;
  });
  team.Sync();
  return memory.answer;
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_COLLECT_KEYS_CUH_

// How many ids of a support have a larger logit than each of many: one pass for all of them.
#ifndef TESSERA_KERNELS_CUDA_COUNT_LARGER_CUH_
#define TESSERA_KERNELS_CUDA_COUNT_LARGER_CUH_

#include <cstdint>

#include "kernels/cuda/row_memory.cuh"

namespace tessera::cuda {

// Sorts the n asked keys: each finds its place by counting.
__device__ __forceinline__ void SortAskedKeys(LargerMemory& larger, uint32_t n) {
  for (uint32_t i = threadIdx.x; i < n; i += kThreads) {
    const int32_t key = larger.keys[i];
    uint32_t place = 0;
    TESSERA_NO_UNROLL
    for (uint32_t j = 0; j < n; ++j) {
      const int32_t other = larger.keys[j];
      place += other < key || (other == key && j < i) ? 1 : 0;
    }
    larger.places[i] = static_cast<uint16_t>(place);
    larger.sorted[place] = key;
  }
  for (uint32_t i = threadIdx.x; i <= n; i += kThreads) larger.counts[i] = 0;
  __syncthreads();
}

// How many of the n sorted keys are below `key`.
__device__ __forceinline__ uint32_t SortedBelow(const LargerMemory& larger, uint32_t n,
                                                int32_t key) {
  uint32_t first = 0;
  TESSERA_NO_UNROLL
  for (uint32_t size = n; size > 0;) {
    const uint32_t half = size / 2;
    if (larger.sorted[first + half] < key) {
      first += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return first;
}

// REQUIRES: every block holds the n asked keys. The caller synchronises the team before and after.
__device__ __forceinline__ void CountLargerInPart(RowMemory& memory, const Elements& elements,
                                                  const Support& support, uint32_t n) {
  LargerMemory& larger = memory.larger;
  SortAskedKeys(larger, n);
  const int32_t lowest = larger.sorted[0];
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    if (memory.chunk_maxima[chunk] <= lowest) return;
    ForEachElement(elements, support, chunk, [&](uint32_t, float y, bool inside) {
      const int32_t key = OrderKey(y);
      if (inside && key > lowest) atomicAdd(&larger.counts[SortedBelow(larger, n, key)], 1u);
    });
  });
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < n; i += kThreads) {
    uint32_t sum = 0;
    TESSERA_NO_UNROLL
    for (uint32_t j = i + 1; j <= n; ++j) sum += larger.counts[j];
    larger.larger[i] = sum;
  }
}

// The answer for asked key i.
__device__ __forceinline__ uint32_t LargerOf(RowMemory& memory, const Team& team, uint32_t i) {
  uint32_t* const own = &memory.larger.larger[memory.larger.places[i]];
  uint32_t sum = 0;
  for (uint32_t r = 0; r < team.blocks(); ++r) sum += *team.Peer(own, r);
  return sum;
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_COUNT_LARGER_CUH_

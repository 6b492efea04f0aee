// Parts of a list of keys in shared memory: what the keys weigh, and copies of a range of them.
// Every thread of the block calls the functions together.
#ifndef TESSERA_KERNELS_CUDA_LIST_RANGE_CUH_
#define TESSERA_KERNELS_CUDA_LIST_RANGE_CUH_

#include <cstdint>

#include "kernels/cuda/block.cuh"
#include "kernels/math/key.h"
#include "kernels/math/weight.h"

namespace tessera::cuda {

// What a key of a list counts for. Weights are computed when wanted: that is cheaper than the
// shared memory to keep them.
struct KeyWeight {
  Weigher weigher;
  bool counting;  // every key weighs 1

  __device__ __forceinline__ uint64_t Of(TokenKey key) const {
    return counting ? 1 : WeightOf(weigher, FromOrderKey(OrderKeyOf(key)));
  }
};

// Keys in [lo, hi].
struct KeyRange {
  TokenKey lo = 0;
  TokenKey hi = ~TokenKey{0};

  __device__ __forceinline__ bool Has(TokenKey key) const { return lo <= key && key <= hi; }
};

// Copies the keys in a range, of which there are at most kThreads, to `to`, in no useful order. A
// barrier stands before the first write and behind the last. `to` may be `keys` where these are at
// most kThreads.
__device__ __forceinline__ void Gather(const KeyRange& range, const TokenKey* keys, uint32_t size,
                                       TokenKey* to, BlockScratch& scratch) {
  const uint32_t thread = ThreadIndex();
  const TokenKey first = thread < size ? keys[thread] : 0;
  uint32_t count = 0;
  for (uint32_t i = thread; i < size; i += kThreads) count += range.Has(keys[i]) ? 1 : 0;
  uint32_t total;
  uint32_t place = BlockExclusiveSum(count, scratch, &total);
  TESSERA_NO_UNROLL
  for (uint32_t i = thread; i < size; i += kThreads) {
    const TokenKey key = i == thread ? first : keys[i];
    if (range.Has(key)) to[place++] = key;
  }
  __syncthreads();
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_LIST_RANGE_CUH_

// The pass that weighs a block's part of a row, counts its ids by distance from the largest logit,
// or both.
#ifndef TESSERA_KERNELS_CUDA_WEIGH_PART_CUH_
#define TESSERA_KERNELS_CUDA_WEIGH_PART_CUH_

#include <cstdint>

#include "kernels/cuda/row_part.cuh"

namespace tessera::cuda {

// What a pass looks at.
struct PartQuestion {
  const Elements& elements;
  const ChunkRange& part;
  const int32_t* chunk_maxima;  // [chunks of the row]; those of the part are read
  Weigher weigher;
  Support support;
  int32_t above;  // for weights: order keys beyond it count as above; kNoBound: all

  // Chunks whose largest logit is out of the support, or weighs nothing, need no look.
  __device__ __forceinline__ bool MayMatter(uint32_t chunk) const {
    const int32_t max = chunk_maxima[chunk];
    return max >= support.lo_key && WeightOf(weigher, FromOrderKey(max)) != 0;
  }
};

// Calls tell(chunk, its weight above the bound) in all lanes of the chunk's warp, adds to the
// calling thread's share of the totals, and adds ids to the bins of `counts` (shared memory, only
// +1, so that equal bins of a warp are one access). The caller synchronises.
template <bool kWeigh, bool kCount, class Tell>
__device__ __forceinline__ void WeighPart(const PartQuestion& question, uint32_t* counts,
                                          WeighTotals* share, Tell tell) {
  const Weigher weigher = question.weigher;
  const bool bounded = question.above != kNoBound;
  const float bound = bounded ? FromOrderKey(question.above) : 0;
  ForEachChunk(question.part, [&](uint32_t chunk) {
    uint64_t total = 0;
    uint64_t above = 0;
    if (question.MayMatter(chunk)) {
      ForEachInside(question.elements, question.support, chunk, [&](uint32_t, float y) {
        if (kWeigh) {
          const uint64_t weight = WeightOf(weigher, y);
          total += weight;
          if (bounded && y > bound) above += weight;
        }
        if (kCount) {
          const uint32_t bin = BinOf(weigher, y);
          if (bin < kBins - 1) atomicAdd(&counts[bin], 1u);
        }
      });
    }
    if (!kWeigh) return;
    above = WarpSum(bounded ? above : total);
    tell(chunk, above);
    share->total += total;
    share->above += threadIdx.x % 32 == 0 ? above : 0;
  });
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_WEIGH_PART_CUH_

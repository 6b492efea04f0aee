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

// What one lane found in its elements of a chunk.
template <bool kAll, bool kWeigh, bool kCount>
__device__ __forceinline__ WeighTotals WeighElements(const PartQuestion& question, uint32_t chunk,
                                                     uint32_t* counts) {
  const Weigher weigher = question.weigher;
  const bool bounded = !kAll && question.above != kNoBound;
  const float bound = bounded ? FromOrderKey(question.above) : 0;
  WeighTotals lane;
  ForEachVector(question.elements, chunk, [&](uint32_t id, const float(&y)[kVectorIds]) {
    TESSERA_UNROLL
    for (uint32_t i = 0; i < kVectorIds; ++i) {
      if (kWeigh) {
        const bool inside = kAll || question.support.Has(id + i, y[i]);
        const uint64_t weight = inside ? WeightOf(weigher, y[i]) : 0;
        lane.total += weight;
        if (!kAll) lane.above += (bounded & (y[i] > bound)) ? weight : 0;
      }
      if (kCount) {
        const uint32_t bin = BinOf(weigher, y[i]);
        if (bin < kBins - 1) atomicAdd(&counts[bin], 1u);
      }
    }
  });
  if (!bounded) lane.above = lane.total;
  return lane;
}

// Calls tell(chunk, its weight above the bound) in all lanes of the chunk's warp, adds to the
// calling thread's share of the totals, and adds ids to the bins of `counts` (shared memory, only
// +1, so that equal bins of a warp are one access). kAll: the support is all candidates, and
// nothing bounds what is above. The caller
// synchronises.
template <bool kAll, bool kWeigh, bool kCount, class Tell>
__device__ __forceinline__ void WeighPart(const PartQuestion& question, uint32_t* counts,
                                          WeighTotals* share, Tell tell) {
  ForEachChunk(question.part, [&](uint32_t chunk) {
    WeighTotals lane;
    if (question.MayMatter(chunk)) {
      lane = WeighElements<kAll, kWeigh, kCount>(question, chunk, counts);
    }
    if (!kWeigh) return;
    const uint64_t above = WarpSum(lane.above);
    tell(chunk, above);
    share->total += lane.total;
    share->above += LaneIndex() == 0 ? above : 0;
  });
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_WEIGH_PART_CUH_

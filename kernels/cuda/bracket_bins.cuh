// Bins of equal width inside a bracket of logits, and what counts in them tell of where a mass or a
// count ends.
#ifndef TESSERA_KERNELS_CUDA_BRACKET_BINS_CUH_
#define TESSERA_KERNELS_CUDA_BRACKET_BINS_CUH_

#include <cstdint>

#include "kernels/cuda/mass_bracket.cuh"

namespace tessera::cuda {

// From the top down; the last bin holds all that is below the others. Rounding may put a logit that
// stands at the end of a bin into the next.
struct BracketBins {
  OrderBracket bracket;
  float top;
  float width;  // of a bin
  float scale;  // bins in a unit

  __device__ __forceinline__ BracketBins(const OrderBracket& keys, const Weigher& weigher)
      : bracket(keys), top(FromOrderKey(keys.hi)) {
    const float lowest = FromOrderKey(keys.lo);
    const float weightless = weigher.y_max - 50.0f / weigher.c;  // what is below weighs nothing
    // A count may end among ids that weigh nothing.
    const float bottom = lowest > weightless || weightless >= top ? lowest : weightless;
    width = (top - bottom) / (kBins - 1);
    scale = (kBins - 1) / (top - bottom);
  }

  // REQUIRES: y <= top.
  __device__ __forceinline__ uint32_t Of(float y) const {
    const float bin = (top - y) * scale;
    return bin < kBins - 1 ? static_cast<uint32_t>(bin) : kBins - 1;
  }
  // About the largest and the smallest logit of a bin.
  __device__ __forceinline__ int32_t Near(uint32_t bin) const {
    if (bin == 0) return bracket.hi;
    return OrderKey(top - static_cast<float>(bin) * width);
  }
  __device__ __forceinline__ int32_t Far(uint32_t bin) const {
    if (bin >= kBins - 1) return bracket.lo;
    const int32_t key = OrderKey(top - static_cast<float>(bin + 1) * width);
    return key > bracket.lo ? key : bracket.lo;
  }
};

// Counts the support's ids by bin. REQUIRES: the support has nothing above the bins' top. The
// caller synchronises.
__device__ __forceinline__ void CountByBin(RowMemory& memory, const Elements& elements,
                                           const Support& support, const BracketBins& bins) {
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    if (memory.chunk_maxima[chunk] < support.lo_key) return;
    ForEachElement(elements, support, chunk, [&](uint32_t, float y, bool inside) {
      if (inside) atomicAdd(&memory.counts[bins.Of(y)], 1u);
    });
  });
}

// Where the bins from the top down have reached `rest` for certain, and where they may have.
__device__ __forceinline__ OrderBracket GuessFromCounts(RowMemory& memory, BlockScratch& scratch,
                                                        const BracketBins& bins,
                                                        const Measure& measure, uint64_t rest) {
  const uint32_t bin = threadIdx.x;
  const uint64_t count = TeamCountOfBin(memory);
  uint64_t least = count;
  uint64_t most = count;
  if (!measure.count) {
    least *= WeightOf(measure.weigher, FromOrderKey(bins.Far(bin)));
    most *= WeightOf(measure.weigher, FromOrderKey(bins.Near(bin)));
  }
  const uint32_t deep = FirstBinReaching(memory, scratch, least, rest);
  const uint32_t high = FirstBinReaching(memory, scratch, most, rest);
  return {deep < kBins ? bins.Far(deep) : bins.bracket.lo,
          high < kBins ? bins.Near(high) : bins.bracket.hi};
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_BRACKET_BINS_CUH_

// Steps of a team for stages that rewrite a row or measure its spread: rarely asked for.
#ifndef TESSERA_KERNELS_CUDA_REWRITE_STEPS_CUH_
#define TESSERA_KERNELS_CUDA_REWRITE_STEPS_CUH_

#include <cstdint>

#include "kernels/cuda/open_view.cuh"
#include "kernels/cuda/row_memory.cuh"
#include "kernels/cuda/row_part.cuh"
#include "kernels/math/statistics.h"
#include "kernels/row/rewrite.h"

namespace tessera::cuda {

// Rewrites one chunk of the edited copy; its largest order key, in every lane.
__device__ __forceinline__ int32_t RewriteChunk(const Elements& elements, const EditedPart& out,
                                                const Support& support, const Rewrite& rewrite,
                                                uint32_t chunk) {
  int32_t max = kOrderKeyNegInf;
  ForEachVector(elements, chunk, [&](uint32_t id, const float(&y)[kVectorIds]) {
    float rewritten[kVectorIds];
    TESSERA_UNROLL
    for (uint32_t i = 0; i < kVectorIds; ++i) {
      rewritten[i] = support.Has(id + i, y[i]) ? Rewritten(rewrite, y[i]) : kBannedLogit;
      const int32_t key = OrderKey(rewritten[i]);
      max = key > max ? key : max;
    }
    out.SetVector(id, rewritten);
  });
  return WarpMax(max);
}

TESSERA_STEP void RewriteStep(RowMemory& memory, Rewrite rewrite, Interval interval) {
  Team team(memory.team);
  team.Sync();  // other blocks read the row as it was no more
  const Elements elements = memory.elements;
  const EditedPart out = EditedPartOf(memory.place, memory.part);
  const Support support(interval);
  int32_t best = kOrderKeyNegInf;
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    const int32_t max = RewriteChunk(elements, out, support, rewrite, chunk);
    if (threadIdx.x % 32 == 0) memory.chunk_maxima[chunk] = max;
    best = max > best ? max : best;
  });
  best = team.Max(best);
  if (threadIdx.x == 0) {
    RowKnown& known = memory.known;
    known.view = View::kRewritten;
    known.max_key = best;
    known.weighed = known.counted = known.sums_read = false;
  }
  team.End();
}

// The smallest order key of the support's part in this block; the largest if it is empty.
__device__ __forceinline__ int32_t LowestInPart(const RowMemory& memory, const Elements& elements,
                                                const Support& support) {
  int32_t lowest = kOrderKeyPosInf;
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    ForEachElement(elements, support, chunk, [&](uint32_t, float y, bool inside) {
      const int32_t key = OrderKey(y);
      if (inside && key < lowest) lowest = key;
    });
  });
  return lowest;
}

// Leaves the support's moments in every block's memory.
TESSERA_STEP void MomentsStep(RowMemory& memory, Interval interval) {
  Team team(memory.team);
  const Elements elements = memory.elements;
  const Support support(interval);
  const float y_max = FromOrderKey(memory.known.max_key);
  const int32_t lowest = -team.Max(-LowestInPart(memory, elements, support));
  const float y_min = lowest < kOrderKeyPosInf ? FromOrderKey(lowest) : y_max;
  const SpreadScale scale = MakeSpreadScale(y_max, y_min);
  // Squares are below 2^52 and there are at most 2^19: their halves' sums fit 64 bits each.
  uint64_t count = 0, sum = 0, squares_low = 0, squares_high = 0;
  ForEachChunk(memory.part, [&](uint32_t chunk) {
    ForEachElement(elements, support, chunk, [&](uint32_t, float y, bool inside) {
      const uint64_t distance = inside ? SpreadOf(scale, y_max, y) : 0;
      const uint64_t square = distance * distance;
      count += inside ? 1 : 0;
      sum += distance;
      squares_low += square & 0xFFFFFFFFu;
      squares_high += square >> 32;
    });
  });
  team.Sum(&count, &sum);
  team.Sum(&squares_low, &squares_high);
  if (threadIdx.x == 0) {
    const U128 high{squares_high >> 32, squares_high << 32};
    memory.moments = {scale, y_min, {count, sum, high + U128{0, squares_low}}};
  }
  team.End();
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_REWRITE_STEPS_CUH_

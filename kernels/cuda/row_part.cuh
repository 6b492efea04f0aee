// A block's part of a row, and the loops over it. Whole warps take whole chunks.
#ifndef TESSERA_KERNELS_CUDA_ROW_PART_CUH_
#define TESSERA_KERNELS_CUDA_ROW_PART_CUH_

#include <cstdint>

#include "kernels/cuda/block.cuh"
#include "kernels/cuda/elements.cuh"
#include "kernels/math/statistics.h"
#include "kernels/math/weight.h"
#include "kernels/row/interval.h"
#include "kernels/row/row.h"

namespace tessera::cuda {

inline constexpr uint32_t kBins = 256;  // of distances from the largest logit

// Chunks [first, end) of the row.
struct ChunkRange {
  uint32_t first;
  uint32_t end;
};

// The part of block `rank` of `blocks`.
__device__ __forceinline__ ChunkRange PartOf(uint32_t columns, uint32_t rank, uint32_t blocks) {
  const uint32_t chunks = (columns + kChunkIds - 1) / kChunkIds;
  const uint32_t each = (chunks + blocks - 1) / blocks;
  const uint32_t first = rank * each < chunks ? rank * each : chunks;
  return {first, first + each < chunks ? first + each : chunks};
}

template <class Visit>
__device__ __forceinline__ void ForEachChunk(const ChunkRange& part, Visit visit) {
  TESSERA_NO_UNROLL
  for (uint32_t chunk = part.first + threadIdx.x / 32; chunk < part.end; chunk += kWarps) {
    visit(chunk);
  }
}

// An interval of the order as comparisons of logits, of which none is NaN.
struct Support {
  float lo;  // ids up to lo_id if equal, all if larger
  uint32_t lo_id;
  float hi;  // ids from hi_id if equal, all if smaller
  uint32_t hi_id;
  int32_t lo_key;  // the order key of lo

  // REQUIRES: no candidate is below interval.lo's order key that is not finite.
  __device__ __forceinline__ explicit Support(const Interval& interval)
      : lo(FromOrderKey(OrderKeyOf(interval.lo))),
        lo_id(static_cast<uint32_t>(IdOf(interval.lo))),
        hi(OrderKeyOf(interval.hi) > kOrderKeyMaxFinite ? __builtin_huge_valf()
                                                        : FromOrderKey(OrderKeyOf(interval.hi))),
        hi_id(static_cast<uint32_t>(IdOf(interval.hi))),
        lo_key(OrderKeyOf(interval.lo)) {}

  // Without branches: threads of a warp would part at them.
  __device__ __forceinline__ bool Has(uint32_t id, float y) const {
    const bool above = (y > lo) | ((y == lo) & (id <= lo_id));
    const bool below = (y < hi) | ((y == hi) & (id >= hi_id));
    return above & below;
  }
};

__device__ __forceinline__ bool IsInvalid(int32_t order_key) {
  return order_key >= kOrderKeyPosInf || order_key < kOrderKeyNegInf;
}

// Stands for NaN and +inf where maxima are taken.
inline constexpr int32_t kInvalidKey = INT32_MAX;

__device__ __forceinline__ RowMax RowMaxOf(int32_t max_key) {
  return {max_key == kInvalidKey ? kOrderKeyPosInf : max_key, max_key == kInvalidKey};
}

// Calls visit(id, logit, whether it lies in the support) for the elements of a chunk.
template <class Visit>
__device__ __forceinline__ void ForEachElement(const Elements& elements, const Support& support,
                                               uint32_t chunk, Visit visit) {
  ForEachVector(elements, chunk, [&](uint32_t id, const float(&y)[kVectorIds]) {
    TESSERA_UNROLL
    for (uint32_t i = 0; i < kVectorIds; ++i) visit(id + i, y[i], support.Has(id + i, y[i]));
  });
}

// How many elements of a chunk lie in the support, in every lane.
__device__ __forceinline__ uint32_t CountInChunk(const Elements& elements, const Support& support,
                                                 uint32_t chunk) {
  uint32_t count = 0;
  ForEachElement(elements, support, chunk,
                 [&](uint32_t, float, bool inside) { count += inside ? 1 : 0; });
  return __reduce_add_sync(~0u, count);
}

// The bin of a logit by its distance from the largest, a quarter of an octave of weight each.
// kBins - 1 is not a bin: the weight there is far below one.
__device__ __forceinline__ uint32_t BinOf(const Weigher& weigher, float y) {
  const float octaves = (weigher.y_max - y) * weigher.c;
  return octaves < 0.25f * (kBins - 1) ? static_cast<uint32_t>(octaves * 4.0f) : kBins - 1;
}

// About the lowest order key of a bin: rounding may leave out an id that stands at its very end.
__device__ __forceinline__ int32_t EndOfBin(const Weigher& weigher, uint32_t bin) {
  const float distance = 1.00001f * 0.25f * static_cast<float>(bin + 1) / weigher.c;
  const float y = weigher.y_max - distance;
  // Never below -inf: keys there are of NaN, which compares with nothing.
  return y > -0x1.fffffcp127f ? OrderKey(y) - 2 : kOrderKeyNegInf;
}

// About the weight at a distance of so many quarters of an octave: 2^44 * 2^(-n / 4).
__device__ __forceinline__ uint64_t WeightOfQuarters(uint32_t quarters) {
  const uint32_t fraction = quarters % 4;
  const uint64_t scaled = fraction == 0   ? uint64_t{1} << 32
                          : fraction == 1 ? 3611622602u   // 2^32 * 2^(-1/4)
                          : fraction == 2 ? 3037000499u   // 2^32 * 2^(-1/2)
                                          : 2553802833u;  // 2^32 * 2^(-3/4)
  const uint32_t shift = quarters / 4;
  return shift < 64 ? (scaled << 12) >> shift : 0;
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_ROW_PART_CUH_

// The largest logit of a chunk, from the logits as they are stored: two halves at a time, and NaN
// shows in the maximum.
#ifndef TESSERA_KERNELS_CUDA_CHUNK_MAX_CUH_
#define TESSERA_KERNELS_CUDA_CHUNK_MAX_CUH_

#include <cstdint>

#include "kernels/cuda/block.cuh"
#include "kernels/cuda/row_part.cuh"

namespace tessera::cuda {

// Maxima of one lane: of whole logits, and of pairs of 16-bit ones.
struct LaneMax {
  float single = kBannedLogit;
  uint32_t pair;

  __device__ __forceinline__ explicit LaneMax(DType dtype)
      : pair(dtype == DType::kFloat16 ? 0xFC00FC00u : 0xFF80FF80u) {}

  __device__ __forceinline__ void AddSingle(const float (&y)[kVectorIds]) {
    TESSERA_UNROLL
    for (uint32_t i = 0; i < kVectorIds; ++i) single = simt::MaxNan(single, y[i]);
  }

  __device__ __forceinline__ void AddPair(DType dtype, uint32_t word) {
    pair =
        dtype == DType::kFloat16 ? simt::MaxNanHalf2(pair, word) : simt::MaxNanBfloat2(pair, word);
  }
};

// The largest order key of a chunk, in every lane; kInvalidKey if it holds NaN or +inf.
__device__ __forceinline__ int32_t MaxOfChunk(const Elements& elements, uint32_t chunk) {
  LaneMax max(elements.dtype);
  const bool pairs = elements.dtype != DType::kFloat32;
  TESSERA_NO_UNROLL
  for (uint32_t step = 0; step < kChunkIds; step += 32 * kVectorIds) {
    const uint32_t id = chunk * kChunkIds + step + LaneIndex() * kVectorIds;
    if (pairs && elements.IsPlain(id)) {
      const uint4 words = elements.Load<uint4>(elements.PlaceOf(id));
      max.AddPair(elements.dtype, words.x);
      max.AddPair(elements.dtype, words.y);
      max.AddPair(elements.dtype, words.z);
      max.AddPair(elements.dtype, words.w);
    } else {
      float y[kVectorIds];
      elements.LoadVector(id, y);
      max.AddSingle(y);
    }
  }
  float best = max.single;
  if (pairs) {
    best = simt::MaxNan(best, elements.FromBits(max.pair & 0xFFFFu));
    best = simt::MaxNan(best, elements.FromBits(max.pair >> 16));
  }
  const int32_t key = OrderKey(best);
  return WarpMax(IsInvalid(key) ? kInvalidKey : key);
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_CHUNK_MAX_CUH_

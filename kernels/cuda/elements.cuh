// Where a block finds the logits of its part of a row: in its own shared memory or in global
// memory, in the dtype they have there. Read eight ids at a time.
#ifndef TESSERA_KERNELS_CUDA_ELEMENTS_CUH_
#define TESSERA_KERNELS_CUDA_ELEMENTS_CUH_

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/simt.h"
#include "kernels/math/dtype.h"
#include "kernels/row/row_view.h"
#include "kernels/types.h"

namespace tessera::cuda {

inline constexpr uint32_t kVectorIds = 8;
inline constexpr float kBannedLogit = -__builtin_huge_valf();

// FromFloat16 without branches: the bits as a float 2^112 times too small, which has subnormals
// too.
__device__ __forceinline__ float FromHalf(uint32_t bits) {
  const float magnitude = FloatOf((bits & 0x7FFFu) << 13) * 0x1p112f;
  const uint32_t infinite = (bits & 0x7C00u) == 0x7C00u ? 0x7F800000u : 0u;
  return FloatOf(BitsOf(magnitude) | infinite | (bits & 0x8000u) << 16);
}

// Which ids a grammar allows; with no words, all.
struct GrammarMask {
  const uint32_t* words;
  uint32_t count;  // ids beyond the last word are forbidden
  bool active;

  // Bit i: id + i is allowed. `id` is a multiple of kVectorIds.
  __device__ __forceinline__ uint32_t Bits(uint32_t id) const {
    return id / 32 < count ? words[id / 32] >> (id % 32) & 0xFFu : 0;
  }
};

struct Elements {
  const std::byte* data;  // of the id `first`
  uint32_t first;
  uint32_t columns;     // of the row
  uint32_t vector_end;  // vectors that end at or below this id may be loaded whole
  DType dtype;
  bool shared;
  GrammarMask grammar;

  template <class T>
  __device__ __forceinline__ T Load(const std::byte* place) const {
    const T* const typed = reinterpret_cast<const T*>(place);
    return shared ? *typed : simt::LoadGlobal(typed);
  }

  __device__ __forceinline__ float FromBits(uint32_t bits) const {
    const auto half = static_cast<uint16_t>(bits);
    return dtype == DType::kBfloat16 ? FromBfloat16(half) : FromFloat16(half);
  }

  // One logit of this block's part, or of any where the row is in global memory.
  __device__ __forceinline__ float At(uint32_t id) const {
    const std::byte* const place = PlaceOf(id);
    if (grammar.active && (grammar.Bits(id & ~7u) >> (id & 7u) & 1) == 0) return kBannedLogit;
    if (dtype == DType::kFloat32) return Load<float>(place);
    return FromBits(Load<uint16_t>(place));
  }

  // Whether a vector of ids may be taken as it is stored.
  __device__ __forceinline__ bool IsPlain(uint32_t id) const {
    return id + kVectorIds <= vector_end && id + kVectorIds <= columns && !grammar.active;
  }

  __device__ __forceinline__ const std::byte* PlaceOf(uint32_t id) const {
    return data + size_t{id - first} * static_cast<size_t>(SizeOf(dtype));
  }

  // The logits of kVectorIds ids from `id`, a multiple of that; beyond the row they are -inf.
  __device__ __forceinline__ void LoadVector(uint32_t id, float (&y)[kVectorIds]) const {
    const std::byte* const place = PlaceOf(id);
    const bool whole = id + kVectorIds <= vector_end;
    if (dtype == DType::kFloat32) {
      LoadFloats(place, id, whole, y);
    } else {
      LoadHalves(place, id, whole, y);
    }
    uint32_t allowed = id + kVectorIds <= columns ? 0xFFu
                       : id < columns             ? 0xFFu >> (id + kVectorIds - columns)
                                                  : 0;
    if (grammar.active) allowed &= grammar.Bits(id);
    if (allowed == 0xFFu) return;
    TESSERA_UNROLL
    for (uint32_t i = 0; i < kVectorIds; ++i) {
      if ((allowed >> i & 1) == 0) y[i] = kBannedLogit;
    }
  }

 private:
  __device__ __forceinline__ void LoadFloats(const std::byte* place, uint32_t id, bool whole,
                                             float (&y)[kVectorIds]) const {
    if (whole) {
      const float4 low = Load<float4>(place);
      const float4 high = Load<float4>(place + sizeof(float4));
      y[0] = low.x, y[1] = low.y, y[2] = low.z, y[3] = low.w;
      y[4] = high.x, y[5] = high.y, y[6] = high.z, y[7] = high.w;
      return;
    }
    TESSERA_UNROLL
    for (uint32_t i = 0; i < kVectorIds; ++i) {
      y[i] = id + i < columns ? Load<float>(place + size_t{4} * i) : kBannedLogit;
    }
  }

  __device__ __forceinline__ void LoadHalves(const std::byte* place, uint32_t id, bool whole,
                                             float (&y)[kVectorIds]) const {
    uint32_t bits[kVectorIds];
    if (whole) {
      const uint4 words = Load<uint4>(place);
      bits[0] = words.x & 0xFFFFu, bits[1] = words.x >> 16;
      bits[2] = words.y & 0xFFFFu, bits[3] = words.y >> 16;
      bits[4] = words.z & 0xFFFFu, bits[5] = words.z >> 16;
      bits[6] = words.w & 0xFFFFu, bits[7] = words.w >> 16;
    } else {
      TESSERA_UNROLL
      for (uint32_t i = 0; i < kVectorIds; ++i) {
        bits[i] = id + i < columns ? Load<uint16_t>(place + size_t{2} * i) : 0u;
      }
    }
    if (dtype == DType::kBfloat16) {
      TESSERA_UNROLL
      for (uint32_t i = 0; i < kVectorIds; ++i) y[i] = FromBfloat16(static_cast<uint16_t>(bits[i]));
    } else {
      TESSERA_UNROLL
      for (uint32_t i = 0; i < kVectorIds; ++i) y[i] = FromHalf(bits[i]);
    }
  }
};

// A row in global memory. Whole vectors are loaded only where they are aligned.
__device__ __forceinline__ Elements GlobalElements(const std::byte* row, DType dtype,
                                                   uint32_t columns) {
  const bool aligned = reinterpret_cast<uintptr_t>(row) % 16 == 0;
  return {row, 0, columns, aligned ? columns : 0, dtype, false, {}};
}

// Calls visit(id, logits) for every vector of a chunk; a warp's lanes take neighbouring vectors and
// keep in step. What lies beyond the row is -inf.
template <class Visit>
__device__ __forceinline__ void ForEachVector(const Elements& elements, uint32_t chunk,
                                              Visit visit) {
  constexpr uint32_t kStepIds = 32 * kVectorIds;
  TESSERA_NO_UNROLL
  for (uint32_t step = chunk * kChunkIds; step < (chunk + 1) * kChunkIds; step += kStepIds) {
    const uint32_t id = step + threadIdx.x % 32 * kVectorIds;
    float y[kVectorIds];
    elements.LoadVector(id, y);
    visit(id, y);
  }
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_ELEMENTS_CUH_

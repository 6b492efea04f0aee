// Sums, maxima and prefix sums over the threads of a warp and of a block. Every thread of the warp
// or block calls them together.
//
// A function of the block costs one barrier: calls write to the two halves of a BlockMemory in
// turn, so a half is written again only behind the barrier of the call between. They may follow
// each other at once, and each also serves as a barrier between what stands before and behind it.
#ifndef TESSERA_KERNELS_CUDA_BLOCK_CUH_
#define TESSERA_KERNELS_CUDA_BLOCK_CUH_

#include <cstdint>

#include "kernels/cuda/simt.h"
#include "kernels/math/host_device.h"

namespace tessera::cuda {

// Of every block, along x. Few, so that two blocks share a multiprocessor: one row loads while
// another is weighed.
inline constexpr uint32_t kThreads = 256;
inline constexpr uint32_t kWarps = kThreads / 32;
inline constexpr uint32_t kAllLanes = 0xFFFFFFFFu;
inline constexpr uint32_t kBlockValues = 4;  // summed with one barrier

__device__ __forceinline__ uint32_t ThreadIndex() { return threadIdx.x; }
__device__ __forceinline__ uint32_t LaneIndex() { return threadIdx.x % 32; }
__device__ __forceinline__ uint32_t WarpIndex() { return threadIdx.x / 32; }

// In shared memory; needs no initial value.
struct BlockMemory {
  uint64_t part[2][kBlockValues][kWarps];
};

// A thread's hold on its block's BlockMemory, which knows whose turn it is: one at a time for each
// memory, handed on by reference; a barrier stands between two.
class BlockScratch {
 public:
  __device__ __forceinline__ explicit BlockScratch(BlockMemory& memory) : memory_(memory) {}
  BlockScratch(const BlockScratch&) = delete;
  BlockScratch& operator=(const BlockScratch&) = delete;

  // The half of the next call: [kBlockValues][kWarps].
  __device__ __forceinline__ uint64_t* Next() {
    turn_ ^= 1;
    return memory_.part[turn_][0];
  }

 private:
  BlockMemory& memory_;
  uint32_t turn_ = 0;
};

// Several values that are summed at once. REQUIRES: constant indices.
template <uint32_t N>
struct Values {
  uint64_t v[N];
};

__device__ __forceinline__ uint32_t WarpSum(uint32_t value) {
  return __reduce_add_sync(kAllLanes, value);
}

inline constexpr uint32_t kLimbBits = 27;  // 32 limbs add up within 32 bits
inline constexpr uint32_t kLimbMask = (1u << kLimbBits) - 1;

// REQUIRES: values below 2^54, as sums of up to 1,023 weights are.
__device__ __forceinline__ uint64_t WarpSumOfWeights(uint64_t value) {
  const uint64_t low = WarpSum(static_cast<uint32_t>(value) & kLimbMask);
  const uint64_t high = WarpSum(static_cast<uint32_t>(value >> kLimbBits));
  return low + (high << kLimbBits);
}

// Modulo 2^64.
__device__ __forceinline__ uint64_t WarpSum(uint64_t value) {
  const uint64_t low = WarpSumOfWeights(value & ((uint64_t{1} << 2 * kLimbBits) - 1));
  const uint64_t high = WarpSum(static_cast<uint32_t>(value >> 2 * kLimbBits));
  return low + (high << 2 * kLimbBits);
}

__device__ __forceinline__ int32_t WarpMax(int32_t value) {
  return __reduce_max_sync(kAllLanes, value);
}

// T: uint32_t or uint64_t.
template <typename T>
__device__ __forceinline__ T WarpInclusiveSum(T value) {
  TESSERA_UNROLL
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const T below = __shfl_up_sync(kAllLanes, value, distance);
    if (LaneIndex() >= distance) value += below;
  }
  return value;
}

template <typename T>
__device__ __forceinline__ T WarpExclusiveSum(T value) {
  return WarpInclusiveSum(value) - value;
}

// T: uint32_t or uint64_t.
template <typename T>
__device__ __forceinline__ T BlockSum(T value, BlockScratch& scratch) {
  uint64_t* const part = scratch.Next();
  const T sum = WarpSum(value);
  if (LaneIndex() == 0) part[WarpIndex()] = sum;
  __syncthreads();
  return WarpSum(LaneIndex() < kWarps ? static_cast<T>(part[LaneIndex()]) : T{0});
}

__device__ __forceinline__ int32_t BlockMax(int32_t value, BlockScratch& scratch) {
  uint64_t* const part = scratch.Next();
  const int32_t max = WarpMax(value);
  if (LaneIndex() == 0) part[WarpIndex()] = static_cast<uint32_t>(max);
  __syncthreads();
  return WarpMax(static_cast<int32_t>(part[LaneIndex() % kWarps]));
}

// Adds up what the warps found: parts.v[k] is warp-uniform, the sums are of the block.
template <uint32_t N>
__device__ __forceinline__ Values<N> SumOverWarps(const Values<N>& parts, BlockScratch& scratch) {
  static_assert(N >= 2 && N <= kBlockValues);
  constexpr uint32_t kGroup = kWarps;  // the lanes that add up one value
  static_assert(kGroup * kBlockValues <= 32);
  uint64_t* const part = scratch.Next();
  if (LaneIndex() == 0) {
    TESSERA_UNROLL
    for (uint32_t k = 0; k < N; ++k) part[k * kWarps + WarpIndex()] = parts.v[k];
  }
  __syncthreads();
  const uint32_t value = LaneIndex() / kGroup;
  uint64_t sum = value < N ? part[value * kWarps + LaneIndex() % kGroup] : 0;
  TESSERA_UNROLL
  for (uint32_t lanes = kGroup / 2; lanes > 0; lanes /= 2) {
    sum += __shfl_xor_sync(kAllLanes, sum, static_cast<int>(lanes));
  }
  Values<N> sums;
  TESSERA_UNROLL
  for (uint32_t k = 0; k < N; ++k) {
    sums.v[k] = __shfl_sync(kAllLanes, sum, static_cast<int>(k * kGroup));
  }
  return sums;
}

template <uint32_t N>
__device__ __forceinline__ Values<N> BlockSums(Values<N> values, BlockScratch& scratch) {
  TESSERA_UNROLL
  for (uint32_t k = 0; k < N; ++k) values.v[k] = WarpSum(values.v[k]);
  return SumOverWarps(values, scratch);
}

// The sum of what the warps below this one hand in, by their last lanes. T: uint32_t or uint64_t.
template <typename T>
__device__ __forceinline__ T SumOfWarpsBelow(T of_warp, BlockScratch& scratch, T* total) {
  uint64_t* const part = scratch.Next();
  if (LaneIndex() == 31) part[WarpIndex()] = of_warp;
  __syncthreads();
  const T other = LaneIndex() < kWarps ? static_cast<T>(part[LaneIndex()]) : T{0};
  *total = WarpSum(other);
  return WarpSum(LaneIndex() < WarpIndex() ? other : T{0});
}

// The sum of the values of all threads below this one. T: uint32_t or uint64_t.
template <typename T>
__device__ __forceinline__ T BlockExclusiveSum(T value, BlockScratch& scratch, T* total) {
  const T inclusive = WarpInclusiveSum(value);
  return SumOfWarpsBelow(inclusive, scratch, total) + inclusive - value;
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_BLOCK_CUH_

// Two launches for a group of residuals, on any device: many blocks a residual edit its rows, then
// sum it chunk by chunk; the block that is done last adds up the chunks and draws. No block waits
// for another. Each logit of both rows is read once, and the drawn chunk's once more.
#ifndef TESSERA_KERNELS_CUDA_RESIDUAL_KERNEL_CUH_
#define TESSERA_KERNELS_CUDA_RESIDUAL_KERNEL_CUH_

#include <cstdint>

#include "kernels/cuda/block.cuh"
#include "kernels/cuda/residual_part.cuh"
#include "kernels/cuda/row_memory.cuh"
#include "kernels/math/wide.h"

namespace tessera::cuda {

// In shared memory; needs no initial value.
struct ResidualMemory {
  U128 chunk_sums[kMaxChunks];
  U128 residuals[kChunkIds];  // of the drawn chunk
  U128 rest;                  // where the draw stands in that chunk
  uint32_t chunk;
  bool last;
  bool draws;
};

// What gridDim.x blocks look at: residual first + blockIdx.y.
__global__ void __launch_bounds__(kThreads, 2)
    ResidualEditKernel(const DeviceResiduals batch, const uint32_t first) {
  const ResidualInput& input = batch.inputs[first + blockIdx.y];
  const ResidualSlot slot = SlotOf(batch, blockIdx.y);
  const ChunkRange part = PartOf(batch.columns, blockIdx.x, gridDim.x);
  EditSide(batch, batch.target, *input.target.row, part, slot.target);
  if (input.draft.row != nullptr) EditSide(batch, batch.draft, *input.draft.row, part, slot.draft);
}

__device__ __forceinline__ U128 WarpSum128(U128 value) {
  TESSERA_NO_UNROLL
  for (uint32_t distance = 16; distance > 0; distance /= 2) {
    const auto lane = static_cast<int>(LaneIndex() ^ distance);
    value = value +
            U128{__shfl_sync(kAllLanes, value.hi, lane), __shfl_sync(kAllLanes, value.lo, lane)};
  }
  return value;
}

__device__ __forceinline__ void SumPart(const ResidualInput& input, const ResidualSide& target,
                                        const ResidualSide& draft, const ChunkRange& part,
                                        U128* chunk_sums) {
  ForEachChunk(part, [&](uint32_t chunk) {
    U128 sum{};
    TESSERA_NO_UNROLL
    for (uint32_t step = 0; step < kChunkIds; step += 32 * kVectorIds) {
      U128 residuals[kVectorIds];
      ResidualsOfVector(input, target, draft, chunk * kChunkIds + step + LaneIndex() * kVectorIds,
                        residuals);
      TESSERA_UNROLL
      for (uint32_t i = 0; i < kVectorIds; ++i) sum = sum + residuals[i];
    }
    sum = WarpSum128(sum);
    if (LaneIndex() == 0) chunk_sums[chunk] = sum;
  });
}

// Whether all other blocks of the residual are done; what they wrote is then seen.
__device__ __forceinline__ bool IsLastOfResidual(ResidualMemory& memory, uint32_t* ticket) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    memory.last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    if (memory.last) atomicExch(ticket, 0u);
  }
  __syncthreads();
  const bool last = memory.last;
  if (last) __threadfence();
  return last;
}

// By one thread: the total, and the chunk in which the draw falls.
__device__ __forceinline__ U128 FindChunk(const ResidualInput& input, uint32_t chunks,
                                          ResidualMemory& memory) {
  U128 total{};
  TESSERA_NO_UNROLL
  for (uint32_t chunk = 0; chunk < chunks; ++chunk) total = total + memory.chunk_sums[chunk];
  memory.draws = input.draw && !(total == U128{});
  if (!memory.draws) return total;
  U128 rest = MulHi128(input.word, total);
  uint32_t chunk = 0;
  TESSERA_NO_UNROLL
  while (memory.chunk_sums[chunk] <= rest) rest = rest - memory.chunk_sums[chunk++];
  memory.chunk = chunk;
  memory.rest = rest;
  return total;
}

// By one thread: the first id of the chunk whose inclusive residual exceeds the rest.
__device__ __forceinline__ TokenId FindId(const ResidualMemory& memory) {
  uint32_t i = 0;
  TESSERA_NO_UNROLL
  for (U128 sum = memory.residuals[0]; sum <= memory.rest; sum = sum + memory.residuals[i]) ++i;
  return static_cast<TokenId>(memory.chunk * kChunkIds + i);
}

// Dynamic shared memory: kResidualMemoryBytes.
__global__ void __launch_bounds__(kThreads, 2)
    ResidualKernel(const DeviceResiduals batch, const uint32_t first) {
  ResidualMemory& memory = *simt::DynamicShared<ResidualMemory>();
  const ResidualInput& input = batch.inputs[first + blockIdx.y];
  const ResidualSlot slot = SlotOf(batch, blockIdx.y);
  const ResidualSide target = SideOf(batch, batch.target, input.target, slot.target);
  const ResidualSide draft = input.draft.row != nullptr
                                 ? SideOf(batch, batch.draft, input.draft, slot.draft)
                                 : target;  // not looked at
  SumPart(input, target, draft, PartOf(batch.columns, blockIdx.x, gridDim.x), slot.chunk_sums);
  if (!IsLastOfResidual(memory, &batch.workspace.tickets[blockIdx.y])) return;

  const uint32_t chunks = (batch.columns + kChunkIds - 1) / kChunkIds;
  for (uint32_t chunk = threadIdx.x; chunk < chunks; chunk += kThreads) {
    memory.chunk_sums[chunk] = slot.chunk_sums[chunk];
  }
  __syncthreads();
  U128 total{};
  if (threadIdx.x == 0) total = FindChunk(input, chunks, memory);
  __syncthreads();
  if (memory.draws) {
    const uint32_t place = threadIdx.x * kVectorIds;
    if (place < kChunkIds) {
      U128 residuals[kVectorIds];
      ResidualsOfVector(input, target, draft, memory.chunk * kChunkIds + place, residuals);
      TESSERA_UNROLL
      for (uint32_t i = 0; i < kVectorIds; ++i) memory.residuals[place + i] = residuals[i];
    }
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  ResidualResult& result = batch.results[first + blockIdx.y];
  result.total = total;
  result.token = memory.draws ? FindId(memory) : -1;
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_RESIDUAL_KERNEL_CUH_

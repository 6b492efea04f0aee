// Two launches for a group of rows, on any device: many blocks a row edit it, find its maxima and
// weigh it; the block that is done last finishes it alone. No block waits for another.
#ifndef TESSERA_KERNELS_CUDA_FALLBACK_KERNEL_CUH_
#define TESSERA_KERNELS_CUDA_FALLBACK_KERNEL_CUH_

#include <cstdint>

#include "kernels/cuda/chunk_max.cuh"
#include "kernels/cuda/findings.cuh"
#include "kernels/cuda/row_place.cuh"
#include "kernels/cuda/team_row.cuh"
#include "kernels/row/sample_row.h"
#include "kernels/row_result.h"

namespace tessera::cuda {

// What gridDim.x blocks look at: row first_row + blockIdx.y.
struct FallbackRow {
  const RowInput& input;
  RowFindings& findings;
  RowPlace place;
};

__device__ __forceinline__ FallbackRow ThisFallbackRow(const DeviceBatch& batch,
                                                       uint32_t first_row) {
  const RowInput& input = batch.inputs[first_row + blockIdx.y];
  std::byte* const slot = batch.workspace.data + blockIdx.y * batch.workspace.bytes_per_slot;
  return {input, *reinterpret_cast<RowFindings*>(slot),
          PlaceOf(batch, first_row + blockIdx.y, blockIdx.y, nullptr, 0)};
}

// First launch: the edited row, and the maxima of its chunks.
__global__ void __launch_bounds__(kThreads, 2)
    FallbackMaxKernel(const DeviceBatch batch, const uint32_t first_row) {
  const FallbackRow row = ThisFallbackRow(batch, first_row);
  const ChunkRange part = PartOf(batch.columns, blockIdx.x, gridDim.x);
  if (row.place.copied) EditPart(row.place, part);
  const Elements elements = EditedInGlobal(row.place);
  ForEachChunk(part, [&](uint32_t chunk) {
    const int32_t max = MaxOfChunk(elements, chunk);
    if (threadIdx.x % 32 == 0) row.findings.chunk_maxima[chunk] = max;
  });
  if (blockIdx.x == 0 && threadIdx.x < kBins) row.findings.counts[threadIdx.x] = 0;
}

// What this block's part adds to the findings.
template <bool kWeigh, bool kCount>
TESSERA_STEP void LookAtPart(RowMemory& memory, RowFindings& findings, int32_t max_key, float c) {
  const Elements elements = EditedInGlobal(memory.place);
  const ChunkRange part = PartOf(memory.place.columns, blockIdx.x, gridDim.x);
  const Weigher weigher = MakeWeigher(FromOrderKey(max_key), c);
  const PartQuestion question{
      elements, part, memory.chunk_maxima, weigher, Support(AllCandidates()), kNoBound};
  if (threadIdx.x < kBins) memory.counts[threadIdx.x] = 0;
  __syncthreads();
  WeighTotals unused;
  WeighPart<true, kWeigh, kCount>(question, memory.counts, &unused,
                                  [&](uint32_t chunk, uint64_t sum) {
                                    if (threadIdx.x % 32 == 0) findings.chunk_sums[chunk] = sum;
                                  });
  __syncthreads();
  if (!kCount) return;
  const uint32_t count = threadIdx.x < kBins ? memory.counts[threadIdx.x] : 0;
  if (count != 0) atomicAdd(&findings.counts[threadIdx.x], count);
}

// Whether all other blocks of the row are done; what they wrote is then seen.
__device__ __forceinline__ bool IsLastOfRow(RowMemory& memory, uint32_t* ticket) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    const bool last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    if (last) atomicExch(ticket, 0u);
    memory.answer = last ? 1 : 0;
  }
  __syncthreads();
  const bool last = memory.answer != 0;
  __syncthreads();
  if (last) __threadfence();
  return last;
}

// Second launch. Dynamic shared memory: kRowMemoryBytes.
__global__ void __launch_bounds__(kThreads, 2)
    FallbackFinishKernel(const DeviceBatch batch, const uint32_t first_row) {
  RowMemory& memory = *simt::DynamicShared<RowMemory>();
  const FallbackRow row = ThisFallbackRow(batch, first_row);
  if (threadIdx.x == 0) {
    memory.team.round = 0;
    memory.place = row.place;
    memory.part = PartOf(batch.columns, 0, 1);
  }
  __syncthreads();
  const FirstLook look = FirstLookOf(*row.input.plan);
  if (look.weigh || look.count) {
    Team team(memory.team);
    const int32_t max_key = TakeMaxima(memory, team.block(), row.findings);
    if (max_key == kInvalidKey || max_key == kOrderKeyNegInf) {
      // There is no law to look at.
    } else if (look.count && look.weigh) {
      LookAtPart<true, true>(memory, row.findings, max_key, look.c);
    } else if (look.count) {
      LookAtPart<false, true>(memory, row.findings, max_key, look.c);
    } else {
      LookAtPart<true, false>(memory, row.findings, max_key, look.c);
    }
  }
  if (!IsLastOfRow(memory, &batch.workspace.tickets[blockIdx.y])) return;
  OpenWithFindings(memory, row.findings, look);
  TeamRow team_row(memory);
  SampleRow(team_row);
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_FALLBACK_KERNEL_CUH_

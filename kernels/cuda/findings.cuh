// What the fallback kernels find out about a row with many blocks before one block finishes it.
#ifndef TESSERA_KERNELS_CUDA_FINDINGS_CUH_
#define TESSERA_KERNELS_CUDA_FINDINGS_CUH_

#include <cstdint>

#include "kernels/cuda/row_memory.cuh"
#include "kernels/steps.h"

namespace tessera::cuda {

// In global memory, one for each row in flight.
struct RowFindings {
  int32_t chunk_maxima[kMaxChunks];  // order keys
  uint64_t chunk_sums[kMaxChunks];   // weights of all candidates, where wanted
  uint32_t counts[kBins];            // ids by distance from the largest logit, where wanted
};

// The pass over all candidates that the row algorithm will ask for first.
struct FirstLook {
  bool weigh = false;
  bool count = false;
  float c = 0;
};

__device__ __forceinline__ FirstLook FirstLookOf(const Plan& plan) {
  if (plan.greedy) return {};
  if (plan.cut_count == 0) return {true, false, plan.c};
  const Cut& cut = plan.cuts[0];
  if (cut.kind == Cut::Kind::kMass) return {true, true, cut.c};
  if (cut.kind == Cut::Kind::kCount) return {false, true, plan.c};
  return {};
}

// Copies the maxima of all chunks to the block's memory; the row's, or kInvalidKey.
__device__ __forceinline__ int32_t TakeMaxima(RowMemory& memory, BlockScratch& scratch,
                                              const RowFindings& findings) {
  const uint32_t chunks = (memory.place.columns + kChunkIds - 1) / kChunkIds;
  int32_t max = kOrderKeyNegInf;
  for (uint32_t chunk = threadIdx.x; chunk < chunks; chunk += kThreads) {
    const int32_t key = findings.chunk_maxima[chunk];
    memory.chunk_maxima[chunk] = key;
    max = key > max ? key : max;
  }
  return BlockMax(max, scratch);
}

// Opens the edited view with everything that was found, in the one block that finishes the row.
TESSERA_STEP void OpenWithFindings(RowMemory& memory, const RowFindings& findings, FirstLook look) {
  Team team(memory.team);
  const uint32_t chunks = (memory.place.columns + kChunkIds - 1) / kChunkIds;
  const int32_t max_key = TakeMaxima(memory, team.block(), findings);
  uint64_t sum = 0;
  for (uint32_t chunk = threadIdx.x; look.weigh && chunk < chunks; chunk += kThreads) {
    memory.chunk_sums[chunk] = findings.chunk_sums[chunk];
    sum += findings.chunk_sums[chunk];
  }
  if (look.count && threadIdx.x < kBins) {
    memory.team_counts[threadIdx.x] = findings.counts[threadIdx.x];
  }
  const uint64_t whole = BlockSum(sum, team.block());
  if (threadIdx.x == 0) {
    memory.elements = EditedInGlobal(memory.place);
    memory.known = {true,       View::kEdited, max_key, look.weigh, look.c, whole, false,
                    look.count, look.c,        0,       {},         0,      0};
  }
  team.End();
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_FINDINGS_CUH_

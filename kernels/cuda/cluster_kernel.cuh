// One launch for all rows: each row goes to a cluster, whose blocks hold it in their shared memory
// together. sm_90 and newer.
#ifndef TESSERA_KERNELS_CUDA_CLUSTER_KERNEL_CUH_
#define TESSERA_KERNELS_CUDA_CLUSTER_KERNEL_CUH_

#include <cstdint>

#include "kernels/cuda/row_place.cuh"
#include "kernels/cuda/team_row.cuh"
#include "kernels/row/sample_row.h"
#include "kernels/row_result.h"

namespace tessera::cuda {

// Before the first row.
TESSERA_STEP void InitRowMemory(RowMemory& memory) {
  if (threadIdx.x == 0) {
    memory.team.round = 0;
    memory.part = PartOf(memory.batch.columns, simt::ClusterRank(), simt::ClusterBlocks());
    memory.bulk_rows = 0;
    TESSERA_NO_UNROLL
    for (uint32_t piece = 0; piece < kMaxPieces; ++piece) {
      simt::BarrierInit(&memory.arrivals[piece], 1);
    }
    simt::FenceBarrierInit();
  }
  simt::ClusterSync();
}

// Says where the next row is; false if there is none. Ends with a barrier of the block.
TESSERA_STEP bool PlaceNextRow(RowMemory& memory) {
  if (threadIdx.x == 0 && memory.next_row < memory.batch.rows) {
    const uint32_t slot = blockIdx.x / simt::ClusterBlocks();
    std::byte* const slice = reinterpret_cast<std::byte*>(&memory) + kRowMemoryBytes;
    memory.place = PlaceOf(memory.batch, memory.next_row, slot, slice, memory.slice_bytes);
    if (PiecesOf(memory.part) > kMaxPieces) memory.place.arrives_by_bulk = false;
    memory.known.opened = false;
    memory.known.noted_weight = 0;
  }
  __syncthreads();
  return memory.next_row < memory.batch.rows;
}

// What comes next may overwrite everything, by copies of the asynchronous proxy too.
TESSERA_STEP void LeaveRow(RowMemory& memory) {
  simt::FenceBarrierInit();
  simt::ClusterSync();
  if (threadIdx.x != 0) return;
  if (memory.place.arrives_by_bulk) ++memory.bulk_rows;
  memory.next_row += gridDim.x / simt::ClusterBlocks();
}

// Dynamic shared memory: kRowMemoryBytes and then slice_bytes. The grid is any number of clusters.
__global__ void __launch_bounds__(kThreads, 2)
    ClusterKernel(const DeviceBatch batch, const uint32_t slice_bytes) {
  RowMemory& memory = *simt::DynamicShared<RowMemory>();
  if (threadIdx.x == 0) {
    memory.batch = batch;
    memory.slice_bytes = slice_bytes;
    memory.next_row = blockIdx.x / simt::ClusterBlocks();
  }
  InitRowMemory(memory);
  TESSERA_NO_UNROLL
  while (PlaceNextRow(memory)) {
    TeamRow row(memory);
    SampleRow(row);
    LeaveRow(memory);
  }
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_CLUSTER_KERNEL_CUH_

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
__device__ __forceinline__ void InitRowMemory(RowMemory& memory, uint32_t columns) {
  if (threadIdx.x == 0) {
    memory.team.round = 0;
    memory.part = PartOf(columns, simt::ClusterRank(), simt::ClusterBlocks());
    memory.bulk_rows = 0;
    TESSERA_NO_UNROLL
    for (uint32_t piece = 0; piece < PiecesOf(memory.part); ++piece) {
      simt::BarrierInit(&memory.arrivals[piece], 1);
    }
    simt::FenceBarrierInit();
  }
  simt::ClusterSync();
}

// Dynamic shared memory: kRowMemoryBytes and then slice_bytes. The grid is any number of clusters.
__global__ void __launch_bounds__(kThreads, 2)
    ClusterKernel(const DeviceBatch batch, const uint32_t slice_bytes) {
  auto* const shared = simt::DynamicShared<std::byte>();
  RowMemory& memory = *reinterpret_cast<RowMemory*>(shared);
  InitRowMemory(memory, batch.columns);
  TESSERA_NO_UNROLL
  for (uint32_t index = blockIdx.x / simt::ClusterBlocks(); index < batch.rows;) {
    if (threadIdx.x == 0) {
      const uint32_t slot = blockIdx.x / simt::ClusterBlocks();
      memory.place = PlaceOf(batch, index, slot, shared + kRowMemoryBytes, slice_bytes);
      memory.known.opened = false;
    }
    __syncthreads();
    TeamRow row(memory);
    SampleRow(row);
    index = memory.place.row + gridDim.x / simt::ClusterBlocks();
    // The next row may overwrite everything, by copies of the asynchronous proxy too.
    simt::FenceBarrierInit();
    simt::ClusterSync();
    if (threadIdx.x == 0 && memory.place.arrives_by_bulk) ++memory.bulk_rows;
  }
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_CLUSTER_KERNEL_CUH_

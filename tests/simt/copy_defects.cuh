// Defects as in defects.cuh, of copies that end later and of clusters.
#ifndef TESSERA_TESTS_SIMT_COPY_DEFECTS_CUH_
#define TESSERA_TESTS_SIMT_COPY_DEFECTS_CUH_

#include "tests/simt/defects.cuh"

namespace defects {

template <bool kPlanted>
__global__ void MissingAsyncWait(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  if (threadIdx.x < kThreads / 4) {
    simt::CopyAsync16(&shared.word[4 * threadIdx.x], &m.in[4 * threadIdx.x]);
    simt::CopyAsyncCommit();
    if (!kPlanted) simt::CopyAsyncWait<0>();
  }
  __syncthreads();
  m.out[threadIdx.x] = shared.word[threadIdx.x];
  if (kPlanted) simt::CopyAsyncWait<0>();
}

// Initialises the barrier and starts one copy of all words.
template <bool kFence = true, bool kSync = true, unsigned kExpected = 4 * kThreads>
__device__ void StartBulkCopy(Shared& shared, const Memory& m) {
  if (threadIdx.x == 0) {
    simt::BarrierInit(&shared.barrier, 1);
    if (kFence) simt::FenceBarrierInit();
  }
  if (kSync) __syncthreads();
  if (threadIdx.x == 0) {
    simt::BarrierExpect(&shared.barrier, kExpected);
    simt::BulkCopy(shared.word, m.in, 4 * kThreads, &shared.barrier);
  }
}

template <bool kPlanted>
__global__ void MissingBarrierWait(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  StartBulkCopy(shared, m);
  if (!kPlanted) simt::BarrierWait(&shared.barrier, 0);
  m.out[threadIdx.x] = shared.word[threadIdx.x];
  if (kPlanted) simt::BarrierWait(&shared.barrier, 0);
}

template <bool kPlanted>
__global__ void NeverWaitedBarrier(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  StartBulkCopy(shared, m);
  if (!kPlanted) simt::BarrierWait(&shared.barrier, 0);
}

template <bool kPlanted>
__global__ void TooManyBytesExpected(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  StartBulkCopy<true, true, kPlanted ? 4 * kThreads + 16 : 4 * kThreads>(shared, m);
  simt::BarrierWait(&shared.barrier, 0);
}

template <bool kPlanted>
__global__ void TooFewBytesExpected(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  StartBulkCopy<true, true, kPlanted ? 4 * kThreads - 16 : 4 * kThreads>(shared, m);
  simt::BarrierWait(&shared.barrier, 0);
}

template <bool kPlanted>
__global__ void UnfencedBarrierInit(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  StartBulkCopy<!kPlanted>(shared, m);
  simt::BarrierWait(&shared.barrier, 0);
}

template <bool kPlanted>
__global__ void UnsyncedBarrierInit(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  StartBulkCopy<true, !kPlanted>(shared, m);
  simt::BarrierWait(&shared.barrier, 0);
  m.out[threadIdx.x] = shared.word[threadIdx.x];
}

// The next copy into a buffer starts while threads still read it.
template <bool kPlanted>
__global__ void CopyOverRead(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  StartBulkCopy(shared, m);
  simt::BarrierWait(&shared.barrier, 0);
  const unsigned before = shared.word[kThreads - 1 - threadIdx.x];
  if (!kPlanted) __syncthreads();
  if (threadIdx.x == 0) {
    simt::BarrierExpect(&shared.barrier, 4 * kThreads);
    simt::BulkCopy(shared.word, m.in + kThreads, 4 * kThreads, &shared.barrier);
  }
  simt::BarrierWait(&shared.barrier, 1);
  m.out[threadIdx.x] = before + 3 * shared.word[threadIdx.x];
}

// No cluster barrier between a write and its read by another block.
template <bool kPlanted>
__global__ void UnsyncedCluster(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  const unsigned next = (simt::ClusterRank() + 1) % simt::ClusterBlocks();
  shared.word[threadIdx.x] = m.in[threadIdx.x] + simt::ClusterRank();
  if (kPlanted) {
    __syncthreads();
  } else {
    simt::ClusterSync();
  }
  m.out[blockIdx.x * kThreads + threadIdx.x] = simt::ClusterMap(&shared, next)->word[threadIdx.x];
  simt::ClusterSync();
}

// A block ends while others still read its shared memory.
template <bool kPlanted>
__global__ void ClusterReadAfterExit(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  shared.word[threadIdx.x] = m.in[threadIdx.x];
  const Shared* first = simt::ClusterMap(&shared, 0);
  simt::ClusterSync();
  if (simt::ClusterRank() != 0) {
    __syncthreads();
    m.out[threadIdx.x] = first->word[threadIdx.x];
  }
  if (!kPlanted) simt::ClusterSync();
}

}  // namespace defects

#endif  // TESSERA_TESTS_SIMT_COPY_DEFECTS_CUH_

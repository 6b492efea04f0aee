// Small kernels, each with one defect planted (kPlanted) and without it. What finds them: the tests
// beside this file.
#ifndef TESSERA_TESTS_SIMT_DEFECTS_CUH_
#define TESSERA_TESTS_SIMT_DEFECTS_CUH_

#include "kernels/cuda/simt.h"

namespace defects {

inline constexpr unsigned kThreads = 64;
inline constexpr unsigned kWords = 256;  // of in and of out

struct Memory {
  const unsigned* in;  // kWords, 16-byte aligned
  unsigned* out;       // kWords, zero
};

struct Shared {
  unsigned word[kThreads];
  simt::Barrier barrier;
};

// No barrier between a write and a read by another thread.
template <bool kPlanted>
__global__ void ReadAfterWrite(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  shared.word[threadIdx.x] = m.in[threadIdx.x];
  if (!kPlanted) __syncthreads();
  m.out[threadIdx.x] = shared.word[kThreads - 1 - threadIdx.x];
}

// No barrier between a read and a write by another thread, which happens to write the same.
template <bool kPlanted>
__global__ void WriteAfterRead(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  shared.word[threadIdx.x] = m.in[threadIdx.x];
  __syncthreads();
  const unsigned other = shared.word[kThreads - 1 - threadIdx.x];
  if (!kPlanted) __syncthreads();
  shared.word[threadIdx.x] = m.in[threadIdx.x];
  m.out[threadIdx.x] = other;
}

// No barrier between clearing counters and counting.
template <bool kPlanted>
__global__ void WriteAfterWrite(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  shared.word[threadIdx.x] = 0;
  if (!kPlanted) __syncthreads();
  atomicAdd(&shared.word[m.in[threadIdx.x] % kThreads], 1u);
  __syncthreads();
  m.out[threadIdx.x] = shared.word[threadIdx.x];
}

template <bool kPlanted>
__global__ void DivergentBarrier(Memory m) {
  if (kPlanted && threadIdx.x >= 40) {
    __syncthreads();
    m.out[threadIdx.x] = 1;
    return;
  }
  __syncthreads();
  m.out[threadIdx.x] = 1;
}

template <bool kPlanted>
__global__ void DivergentShuffle(Memory m) {
  const unsigned thread = threadIdx.x;
  unsigned first = 0;
  if (kPlanted) {
    first = thread % 32 < 16 ? __shfl_sync(0xffffffffu, m.in[thread], 0)
                             : __shfl_sync(0xffffffffu, m.in[thread] + 1, 0);
  } else {
    first = __shfl_sync(0xffffffffu, m.in[thread], 0);
  }
  m.out[thread] = first;
}

template <bool kPlanted>
__global__ void MissingSyncwarp(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  shared.word[threadIdx.x] = m.in[threadIdx.x];
  if (!kPlanted) __syncwarp();
  m.out[threadIdx.x] = shared.word[threadIdx.x ^ 1];
}

template <bool kPlanted>
__global__ void LostUpdate(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  shared.word[threadIdx.x] = 0;
  __syncthreads();
  if (kPlanted) {
    shared.word[m.in[threadIdx.x] % 4] += 1;
  } else {
    atomicAdd(&shared.word[m.in[threadIdx.x] % 4], 1u);
  }
  __syncthreads();
  m.out[threadIdx.x] = shared.word[threadIdx.x];
}

template <bool kPlanted>
__global__ void MisalignedLoad(Memory m) {
  const unsigned* from = m.in + 4 * (threadIdx.x % 32) + (kPlanted ? 1 : 0);
  m.out[threadIdx.x] = reinterpret_cast<const uint4*>(from)->x;
}

template <bool kPlanted>
__global__ void MisalignedCountedLoad(Memory m) {
  const unsigned* from = m.in + 4 * (threadIdx.x % 32) + (kPlanted ? 1 : 0);
  m.out[threadIdx.x] = simt::LoadGlobal(reinterpret_cast<const uint4*>(from)).x;
}

template <bool kPlanted>
__global__ void UninitialisedShared(Memory m) {
  Shared& shared = *simt::DynamicShared<Shared>();
  if (!kPlanted && threadIdx.x == 0) shared.word[5] = 0;
  __syncthreads();
  atomicAdd(&shared.word[5], m.in[threadIdx.x]);
  __syncthreads();
  m.out[threadIdx.x] = shared.word[5];
}

template <bool kPlanted>
__global__ void SharedWritePastEnd(Memory m) {
  unsigned* words = simt::DynamicShared<unsigned>();
  words[threadIdx.x + (kPlanted ? sizeof(Shared) / 4 - kThreads + 1 : 0)] = m.in[threadIdx.x];
  m.out[threadIdx.x] = 1;
}

template <bool kPlanted>
__global__ void GlobalReadPastEnd(Memory m) {
  m.out[threadIdx.x] = m.in[threadIdx.x + kWords - kThreads + (kPlanted ? 1 : 0)];
}

// The result says which block ran first.
template <bool kPlanted>
__global__ void BlockOrder(Memory m) {
  if (threadIdx.x != 0) return;
  const unsigned ticket = atomicAdd(&m.out[kWords - 1], 1u);
  m.out[blockIdx.x] = kPlanted ? ticket : blockIdx.x;
}

// The last of two blocks adds up what both wrote.
template <bool kPlanted>
__global__ void MissingFence(Memory m) {
  if (threadIdx.x != 0) return;
  m.out[blockIdx.x] = m.in[blockIdx.x];
  if (!kPlanted) __threadfence();
  if (atomicAdd(&m.out[kWords - 1], 1u) + 1 == gridDim.x) {
    if (!kPlanted) __threadfence();
    m.out[kWords - 2] = m.out[0] + m.out[1];
  }
}

}  // namespace defects

#endif  // TESSERA_TESTS_SIMT_DEFECTS_CUH_

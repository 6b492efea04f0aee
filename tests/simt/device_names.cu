// Compiles every name of kernels/cuda/simt.h with nvcc: that the two sides of the header agree.
#include "kernels/cuda/simt.h"

namespace {

struct Shared {
  uint4 words[64];
  unsigned total;
  simt::Barrier barrier;
};

__global__ void EveryName(unsigned* out, const uint4* in, unsigned long long* wide) {
  Shared* shared = simt::DynamicShared<Shared>();
  const unsigned thread = threadIdx.x;
  if (thread == 0) {
    simt::BarrierInit(&shared->barrier, 1);
    simt::FenceBarrierInit();
    shared->total = 0;
  }
  simt::ClusterSync();
  if (thread == 0) {
    simt::BarrierExpect(&shared->barrier, 256);
    simt::BulkCopy(shared->words, in, 256, &shared->barrier);
  }
  simt::BarrierWait(&shared->barrier, 0);
  simt::CopyAsync16(&shared->words[thread % 64], &in[thread]);
  simt::CopyAsyncCommit();
  simt::CopyAsyncWait<0>();
  __syncthreads();
  if (thread == 0) simt::BarrierArrive(&shared->barrier);
  unsigned value = __shfl_xor_sync(0xffffffffu, shared->words[thread % 64].x, 1);
  value += __reduce_add_sync(0xffffffffu, value) + __ballot_sync(0xffffffffu, value & 1);
  value += __match_any_sync(0xffffffffu, value) + __popc(value) + __ffs(static_cast<int>(value));
  value += static_cast<unsigned>(__reduce_max_sync(0xffffffffu, static_cast<int>(value)));
  const unsigned long long up = __shfl_up_sync(0xffffffffu, wide[thread], 1);
  atomicAdd(&shared->total, value);
  atomicAdd(wide, up);
  atomicMax(out, value);
  simt::ClusterArrive();
  simt::ClusterWait();
  const unsigned peer = (simt::ClusterRank() + 1) % simt::ClusterBlocks();
  simt::StoreGlobal(&out[thread], simt::ClusterMap(&shared->total, peer)[0]);
  const uint4 word = simt::LoadGlobal(&in[thread]);
  out[thread] += word.x;
  __threadfence();
  simt::ClusterSync();
}

}  // namespace

cudaError_t LaunchEveryName(unsigned* out, const uint4* in, unsigned long long* wide,
                            cudaStream_t stream) {
  simt::LaunchConfig config;
  config.grid = dim3(8);
  config.block = dim3(64);
  config.shared_bytes = sizeof(Shared);
  config.stream = stream;
  config.cluster = 4;
  return simt::Launch(config, EveryName, out, in, wide);
}

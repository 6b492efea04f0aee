// The device side of simt.h: copies from global to shared memory that end later. Included by
// simt_cuda.h.
#ifndef TESSERA_KERNELS_CUDA_SIMT_CUDA_COPY_H_
#define TESSERA_KERNELS_CUDA_SIMT_CUDA_COPY_H_

#ifdef __CUDACC__

#include "kernels/cuda/simt_cuda.h"

namespace simt {

// 16 bytes, 16-byte aligned, into the thread's open group of copies (cp.async).
SIMT_DEVICE void CopyAsync16(void* shared, const void* global) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(SharedAddress(shared)),
               "l"(__cvta_generic_to_global(global))
               : "memory");
#else
  *static_cast<uint4*>(shared) = *static_cast<const uint4*>(global);
#endif
}

SIMT_DEVICE void CopyAsyncCommit() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Returns when at most N of the thread's groups are still open.
template <int N>
SIMT_DEVICE void CopyAsyncWait() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

// An mbarrier: lies in shared memory. A phase ends when all arrivals came and all bytes they
// expect.
struct Barrier {
  uint64_t state;
};
static_assert(sizeof(Barrier) == 8);

// By one thread; FenceBarrierInit and a barrier of the block (or cluster) stand before any use.
SIMT_DEVICE void BarrierInit(Barrier* barrier, unsigned arrivals) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(SharedAddress(barrier)),
               "r"(arrivals)
               : "memory");
#else
  __trap();
#endif
}

// By the thread that initialised barriers, after the last of them.
SIMT_DEVICE void FenceBarrierInit() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#else
  __trap();
#endif
}

SIMT_DEVICE void BarrierArrive(Barrier* barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(SharedAddress(barrier)) : "memory");
#else
  __trap();
#endif
}

// Arrives, and lets the phase wait for this many bytes of bulk copies more.
SIMT_DEVICE void BarrierExpect(Barrier* barrier, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(SharedAddress(barrier)),
      "r"(bytes)
      : "memory");
#else
  __trap();
#endif
}

// Returns when the phase of this parity has ended: 0 for the first, 1 for the second, and so on.
SIMT_DEVICE void BarrierWait(Barrier* barrier, unsigned phase_parity) {
#if __CUDA_ARCH__ >= 900
  unsigned ended;
  do {
    asm volatile(
        "{\n\t"
        ".reg .pred ended;\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, ended;\n\t"
        "}"
        : "=r"(ended)
        : "r"(SharedAddress(barrier)), "r"(phase_parity)
        : "memory");
  } while (ended == 0);
#else
  __trap();
#endif
}

// Copies a multiple of 16 bytes between 16-byte aligned addresses; its end counts them at
// `barrier`.
SIMT_DEVICE void BulkCopy(void* shared, const void* global, unsigned bytes, Barrier* barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(SharedAddress(shared)),
      "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(SharedAddress(barrier))
      : "memory");
#else
  __trap();
#endif
}

}  // namespace simt

#endif  // __CUDACC__

#endif  // TESSERA_KERNELS_CUDA_SIMT_CUDA_COPY_H_

// Copies from global to shared memory that end later: cp.async, and cp.async.bulk with its
// mbarrier.
#ifndef TESSERA_TESTS_SIMT_ASYNC_COPY_H_
#define TESSERA_TESTS_SIMT_ASYNC_COPY_H_

#include <cstddef>
#include <cstdint>

#include "tests/simt/cuda_types.h"
#include "tests/simt/options.h"

namespace simt {

// An mbarrier: lies in shared memory, 8 bytes, 8-byte aligned.
struct Barrier {
  uint64_t state;
};

namespace emulator {

// Performs a copy. Handed in by whoever issues it, so that the sanitizer of the kernel's own code
// sees its accesses.
using CopyBytes = void (*)(void* to, const void* from, size_t bytes);

// cp.async of 4, 8 or 16 bytes into this thread's open group. Performed as late as its wait.
void AsyncCopy(void* shared, const void* global, size_t bytes, CopyBytes copy, Site site);
void AsyncCopyCommit();
// Returns when at most `keep` committed groups are still open. (cp.async.wait_all: commit, keep 0.)
void AsyncCopyWait(unsigned keep);

// mbarrier.init; arrivals in [1, 2^20).
void BarrierInit(Barrier* barrier, unsigned arrivals, Site site);
// mbarrier.arrive, after expecting `bytes` more (0: none): mbarrier.arrive.expect_tx.
void BarrierArrive(Barrier* barrier, unsigned bytes, Site site);
// mbarrier.expect_tx, without an arrival.
void BarrierExpectOnly(Barrier* barrier, unsigned bytes, Site site);
// A mbarrier.try_wait.parity loop: returns when the phase of that parity has completed.
void BarrierWait(Barrier* barrier, unsigned parity, Site site);
// Whether it has: mbarrier.test_wait.parity. Gives others a turn when it has not.
bool BarrierTest(Barrier* barrier, unsigned parity, Site site);
// fence.proxy.async, fence.mbarrier_init: this thread's inits become visible to bulk copies.
void FenceBarrierInit();
// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes into this block.
void BulkCopy(void* shared, const void* global, size_t bytes, Barrier* barrier, CopyBytes copy,
              Site site);

inline void CopyWords(void* to, const void* from, size_t bytes) {
  for (size_t i = 0; i < bytes / 16; ++i) {
    static_cast<uint4*>(to)[i] = static_cast<const uint4*>(from)[i];
  }
}

}  // namespace emulator

inline void CopyAsync16(void* shared, const void* global, SIMT_SITE_PARAMETERS) {
  emulator::AsyncCopy(shared, global, 16, &emulator::CopyWords, SIMT_SITE);
}
inline void CopyAsyncCommit() { emulator::AsyncCopyCommit(); }
template <int N>
void CopyAsyncWait() {
  emulator::AsyncCopyWait(N);
}

inline void BarrierInit(Barrier* barrier, unsigned arrivals, SIMT_SITE_PARAMETERS) {
  barrier->state = arrivals;  // a plain store: a race with any use that no barrier separates
  emulator::BarrierInit(barrier, arrivals, SIMT_SITE);
}
inline void BarrierArrive(Barrier* barrier, SIMT_SITE_PARAMETERS) {
  __atomic_load_n(&barrier->state, __ATOMIC_RELAXED);
  emulator::BarrierArrive(barrier, 0, SIMT_SITE);
}
inline void BarrierExpect(Barrier* barrier, unsigned bytes, SIMT_SITE_PARAMETERS) {
  __atomic_load_n(&barrier->state, __ATOMIC_RELAXED);
  emulator::BarrierArrive(barrier, bytes, SIMT_SITE);
}
inline void BarrierWait(Barrier* barrier, unsigned phase_parity, SIMT_SITE_PARAMETERS) {
  __atomic_load_n(&barrier->state, __ATOMIC_RELAXED);
  emulator::BarrierWait(barrier, phase_parity, SIMT_SITE);
}
inline void FenceBarrierInit() { emulator::FenceBarrierInit(); }
inline void BulkCopy(void* shared, const void* global, unsigned bytes, Barrier* barrier,
                     SIMT_SITE_PARAMETERS) {
  emulator::BulkCopy(shared, global, bytes, barrier, &emulator::CopyWords, SIMT_SITE);
}

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_ASYNC_COPY_H_

// Runs CUDA-style kernels on a CPU: one fiber per CUDA thread, one OS thread in all. This is the
// only header that kernels and tests include for it; kernels reach it through kernels/cuda/simt.h.
#ifndef TESSERA_TESTS_SIMT_EMULATOR_H_
#define TESSERA_TESTS_SIMT_EMULATOR_H_

#include <type_traits>

#include "tests/simt/async_copy.h"
#include "tests/simt/atomics.h"
#include "tests/simt/bits.h"
#include "tests/simt/collectives.h"
#include "tests/simt/cuda_types.h"
#include "tests/simt/global_traffic.h"
#include "tests/simt/intrinsics.h"
#include "tests/simt/launch.h"
#include "tests/simt/max_nan.h"
#include "tests/simt/options.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))

// Of the running thread: the scheduler rewrites them at every switch.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

namespace simt {

template <typename T>
T* DynamicShared() {
  return static_cast<T*>(emulator::DynamicShared());
}

inline unsigned ClusterRank() { return emulator::ClusterRank(); }
inline unsigned ClusterBlocks() { return emulator::ClusterBlocks(); }
inline void ClusterArrive(SIMT_SITE_PARAMETERS) { emulator::ClusterArrive(SIMT_SITE); }
inline void ClusterWait(SIMT_SITE_PARAMETERS) { emulator::ClusterWait(SIMT_SITE); }
inline void ClusterSync(SIMT_SITE_PARAMETERS) {
  emulator::ClusterArrive(SIMT_SITE);
  emulator::ClusterWait(SIMT_SITE);
}

// The same object in the shared memory of another block of the cluster.
template <typename T>
T* ClusterMap(T* own, unsigned rank) {
  return static_cast<T*>(emulator::ClusterMap(const_cast<std::remove_const_t<T>*>(own), rank));
}

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_EMULATOR_H_

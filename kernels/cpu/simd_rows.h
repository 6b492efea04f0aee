// One row on one SIMD target: the row algorithm compiled once per instruction set.
#ifndef TESSERA_KERNELS_CPU_SIMD_ROWS_H_
#define TESSERA_KERNELS_CPU_SIMD_ROWS_H_

#include <cstddef>
#include <vector>

#include "kernels/backend.h"
#include "kernels/row/scratch.h"

namespace tessera {

struct SimdTarget {
  const char* name;  // "AVX3", "AVX2", "NEON", "EMU128", "SCALAR"
  void (*run_row)(const Batch& batch, size_t index, RowScratch& scratch, RowResult* result);
};

// Those compiled in that run on this machine, best first. Never empty: the portable one is last.
std::vector<SimdTarget> RunnableSimdTargets();

}  // namespace tessera

#endif  // TESSERA_KERNELS_CPU_SIMD_ROWS_H_

// One row, or one residual, on one SIMD target: their code compiled once per instruction set.
#ifndef TESSERA_KERNELS_CPU_SIMD_ROWS_H_
#define TESSERA_KERNELS_CPU_SIMD_ROWS_H_

#include <cstddef>
#include <vector>

#include "kernels/backend.h"
#include "kernels/cpu/batch_rows.h"
#include "kernels/row/scratch.h"

namespace tessera {

struct SimdTarget {
  const char* name;  // "AVX3", "AVX2", "NEON", "EMU128", "SCALAR"
  void (*run_row)(const Batch& batch, size_t index, RowScratch& scratch, RowResult* result);
  void (*run_residual)(const ResidualBatch& batch, size_t index, const ResidualScratch& scratch,
                       ResidualResult* result);
};

// Those compiled in that run on this machine, best first. Never empty: the portable one is last.
std::vector<SimdTarget> RunnableSimdTargets();

}  // namespace tessera

#endif  // TESSERA_KERNELS_CPU_SIMD_ROWS_H_

// The shapes in which the CUDA backend is judged.
#ifndef TESSERA_TESTS_CUDA_EMULATED_EXECUTORS_H_
#define TESSERA_TESTS_CUDA_EMULATED_EXECUTORS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "kernels/cuda/cuda_backend.h"

namespace tessera::testing {

struct EmulatedShape {
  const char* kernel;
  int blocks_per_row;
  int every;  // in how many turns one is enough: what a row costs grows faster than its threads

  CudaOptions Options() const { return {0, kernel, blocks_per_row}; }
  std::string Name() const { return std::string(kernel) + " x" + std::to_string(blocks_per_row); }
};

// Every size of a cluster; the fallback with one, few and many blocks a row.
absl::Span<const EmulatedShape> EmulatedShapes();

// Those that are due in this turn of a test: all come up in 16 turns, the cheap ones in each.
std::vector<EmulatedShape> ShapesOfTurn(int turn);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_CUDA_EMULATED_EXECUTORS_H_

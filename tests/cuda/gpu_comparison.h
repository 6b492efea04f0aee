// Compares a device with the scalar executor on many rows, on all processors of the host.
#ifndef TESSERA_TESTS_CUDA_GPU_COMPARISON_H_
#define TESSERA_TESTS_CUDA_GPU_COMPARISON_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/backend.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {

// Calls judge(number) once for every number in [0, count), on TESSERA_GPU_THREADS threads (default:
// one for each processor), until one answers anything: that is the answer. Empty when none does.
std::string JudgeAll(int64_t count, const std::function<std::string(int64_t)>& judge);

// Every bit of every row, from the scalar executor.
std::vector<std::vector<uint32_t>> ScalarBits(const Batch& batch);

std::vector<std::vector<uint32_t>> BitsOfRows(absl::Span<const RowResult> rows);

// Empty when the backend gives `expected`; otherwise which row differs, and the row.
std::string Compare(Backend& backend, const Batch& batch, const std::vector<RowSpec>& specs,
                    const std::vector<std::vector<uint32_t>>& expected);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_CUDA_GPU_COMPARISON_H_

// Stands in for the row algorithm where the host side is tested: a result that depends on every bit
// that a row asks for and on every logit, so that whatever arrives wrong on a device is seen.
#ifndef TESSERA_TESTS_CUDA_ECHO_ROW_H_
#define TESSERA_TESTS_CUDA_ECHO_ROW_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/backend.h"

namespace tessera::testing {

// The matrices' rows that a row names.
struct EchoedLogits {
  const std::byte* logits;
  const std::byte* guidance;  // null where the plan does not use it
  DType dtype;
  uint32_t columns;
};

// Of every bit that a row asks for and every logit; not of where the logits stand.
uint64_t DigestOfRow(const EchoedLogits& logits, const RowInput& input);

// `result` was sized for `input`. About one row in seven fails, and lists are cut short as rows do.
void EchoRow(const EchoedLogits& logits, const RowInput& input, RowResult* result);

// Where a batch on the host has them.
EchoedLogits LogitsFor(const Batch& batch, const RowInput& input);

// What the backend under test has to give for the batch, computed where the batch is.
std::vector<std::vector<uint32_t>> EchoedBits(const Batch& batch);

// What a backend gives; an error becomes a test failure and no rows.
std::vector<std::vector<uint32_t>> BitsOfRun(Backend& backend, const Batch& batch);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_CUDA_ECHO_ROW_H_

// Stands in for the residual kernels where the host side is tested: a result that depends on every
// bit that a residual asks for and on every logit of both rows.
#ifndef TESSERA_TESTS_CUDA_ECHO_RESIDUAL_H_
#define TESSERA_TESTS_CUDA_ECHO_RESIDUAL_H_

#include <vector>

#include "kernels/backend.h"
#include "kernels/residual_input.h"
#include "tests/cuda/echo_row.h"

namespace tessera::testing {

// `draft` is not looked at where the residual has no draft row.
ResidualResult EchoResidual(const EchoedLogits& target, const EchoedLogits& draft,
                            const ResidualInput& input);

// What the backend under test has to give for the batch, computed where the batch is.
std::vector<ResidualResult> EchoedResiduals(const ResidualBatch& batch);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_CUDA_ECHO_RESIDUAL_H_

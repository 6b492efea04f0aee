// A result as bits, to compare executors.
#ifndef TESSERA_TESTS_SUPPORT_RESULT_BITS_H_
#define TESSERA_TESTS_SUPPORT_RESULT_BITS_H_

#include <cstdint>
#include <vector>

#include "kernels/backend.h"

namespace tessera::testing {

// Every bit of a result: floats as their bits, lengths included.
std::vector<uint32_t> BitsOf(const RowResult& result);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_RESULT_BITS_H_

// Judges what an executor's result says of the law that a row is drawn from, in integers.
#ifndef TESSERA_TESTS_SUPPORT_EXPECTED_LAW_H_
#define TESSERA_TESTS_SUPPORT_EXPECTED_LAW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/row_result.h"
#include "tests/support/exact_law.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {

// Empty when it is right, otherwise what is wrong: weights, total and listed ids must be equal.
std::string JudgeLaw(const RowSpec& row, const oracle::ExactLaw& law, const RowResult& result);

// Every bit of it, for BitsOf.
void AddLawBits(const RowResult& result, std::vector<uint32_t>* bits);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_EXPECTED_LAW_H_

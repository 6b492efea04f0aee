// Rows whose cuts lie outside short lists: wide plateaus of ties, neighbouring floats, flat rows;
// chains of several wide cuts; long top lists.
#ifndef TESSERA_TESTS_SUPPORT_HARD_ROWS_H_
#define TESSERA_TESTS_SUPPORT_HARD_ROWS_H_

#include <cstdint>

#include "tests/support/random_rows.h"

namespace tessera::testing {

// 129 to 4,096, mostly some hundreds.
int64_t HardWidth(Random& random);

// A row of `width` ids without padding.
RowSpec HardRow(Random& random, int64_t width, DType dtype);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_HARD_ROWS_H_

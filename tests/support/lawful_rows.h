// Random rows that a residual may read: they can be sampled, and what their chains leave of them
// can be weighed from their edited logits alone.
#ifndef TESSERA_TESTS_SUPPORT_LAWFUL_ROWS_H_
#define TESSERA_TESTS_SUPPORT_LAWFUL_ROWS_H_

#include <cstdint>
#include <vector>

#include "tests/support/exact_law.h"
#include "tests/support/random.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {

// Rows of one matrix, which ask for their laws and nothing else.
struct LawfulRows {
  DType dtype = DType::kFloat32;
  int64_t columns = 0;
  std::vector<RowSpec> rows;
  std::vector<oracle::ExactLaw> laws;  // of the rows
};

// Some are guided.
LawfulRows RandomTargets(Random& random, int64_t vocab_size, int count);

// Some are a target with a few logits changed.
LawfulRows RandomDrafts(Random& random, int64_t vocab_size, int count, const LawfulRows& targets);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_LAWFUL_ROWS_H_

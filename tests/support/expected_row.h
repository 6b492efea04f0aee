// Judges an executor's result for one row against both oracles.
#ifndef TESSERA_TESTS_SUPPORT_EXPECTED_ROW_H_
#define TESSERA_TESTS_SUPPORT_EXPECTED_ROW_H_

#include <memory>
#include <string>

#include "kernels/backend.h"
#include "tests/support/result_bits.h"  // IWYU pragma: export
#include "tests/support/row_spec.h"

namespace tessera::testing {

// What the definitions say about a row. Computed once, then compared with each executor's result.
class ExpectedRow {
 public:
  // Only the first `vocab_size` logits count.
  ExpectedRow(const RowSpec& row, int64_t vocab_size);
  ~ExpectedRow();

  // Empty when `result` is right; otherwise what is wrong. Tokens, support, outcome, ranks and ids
  // must be equal; logprobs within a unit in the last place of the integers' law, and within the
  // stated tolerance of the law in long double.
  std::string Compare(const RowResult& result) const;

  Outcome outcome() const;

 private:
  struct Laws;

  const RowSpec& row_;
  std::unique_ptr<Laws> laws_;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_EXPECTED_ROW_H_

// Compares what an executor reports of one mode with its law.
#ifndef TESSERA_TESTS_SUPPORT_COMPARE_REPORT_H_
#define TESSERA_TESTS_SUPPORT_COMPARE_REPORT_H_

#include <string>

#include "absl/types/span.h"
#include "kernels/backend.h"
#include "tests/support/complaints.h"
#include "tests/support/mode_law.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {

// `law` is null where the row asks nothing of the mode: then the report must be empty. `mode` is
// its number and `tokens` what the oracle drew.
void CompareReport(const RowSpec& row, int mode, const ModeLaw* law,
                   absl::Span<const TokenId> tokens, const LogprobReport& report, Complaints* bad);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_COMPARE_REPORT_H_

// A chain in exact integers over the sorted row: what each stage leaves.
#ifndef TESSERA_TESTS_SUPPORT_EXACT_CHAIN_H_
#define TESSERA_TESTS_SUPPORT_EXACT_CHAIN_H_

#include "tests/support/chain_steps.h"
#include "tests/support/edited_row.h"

namespace tessera::oracle {

// `edited` is kOk. No stage may be an edit after a truncation.
ChainSteps ExactSteps(const EditedRow& edited, const Chain& chain, const RowInput& row);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_EXACT_CHAIN_H_

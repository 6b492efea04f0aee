// Judges what each stage left of a row by the stage's published definition, in long double over the
// sorted row. A boundary in a stated distance of a token may fall on either side of it.
#ifndef TESSERA_TESTS_SUPPORT_REAL_STEPS_H_
#define TESSERA_TESTS_SUPPORT_REAL_STEPS_H_

#include <string>

#include "tests/support/chain_steps.h"
#include "tests/support/edited_row.h"

namespace tessera::oracle {

// What is wrong with the steps, of which the first must be the edited row. Empty if nothing is.
std::string JudgeSteps(const EditedRow& edited, const Chain& chain, const RowInput& row,
                       const ChainSteps& steps);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_REAL_STEPS_H_

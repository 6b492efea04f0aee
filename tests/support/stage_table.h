// Runs one tiny row on every executor and shows the law that comes out: what stage tests are tables
// of.
#ifndef TESSERA_TESTS_SUPPORT_STAGE_TABLE_H_
#define TESSERA_TESTS_SUPPORT_STAGE_TABLE_H_

#include <vector>

#include "kernels/backend.h"
#include "kernels/chain.h"
#include "tests/support/row_spec.h"

namespace tessera::testing {

struct ShownRow {
  Outcome outcome = Outcome::kOk;
  std::vector<TokenId> kept;     // ids of the support, ascending
  std::vector<double> law;       // by id; 0 outside the support
  std::vector<double> tempered;  // by id: after masks, edits and temperature, before truncation
  std::vector<TokenId> tokens;   // drawn
  double state[2] = {0, 0};      // after the draw
};

// All executors must agree to the bit, and with the oracle; a test fails here if they do not.
ShownRow Show(RowSpec row);

// A row of these logits through these stages.
ShownRow Show(std::vector<float> logits, std::vector<Stage> stages);

// The ids that the stages keep of the law `probabilities`, whose logits are rounded logarithms:
// boundaries must not depend on the last bits.
std::vector<TokenId> Kept(const std::vector<double>& probabilities, std::vector<Stage> stages);

std::vector<float> LogitsOf(const std::vector<double>& probabilities);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_STAGE_TABLE_H_

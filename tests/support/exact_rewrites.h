// The stages that give what is left of a row new logits, and XTC's coin.
#ifndef TESSERA_TESTS_SUPPORT_EXACT_REWRITES_H_
#define TESSERA_TESTS_SUPPORT_EXACT_REWRITES_H_

#include "tests/support/chain_steps.h"

namespace tessera::oracle {

// Each rewrites step->y of what is kept; the order is left as it was.
void Rewrite(const DynamicTemperature& stage, Step* step);
void Rewrite(const Smoothing& stage, Step* step);
void Rewrite(const AdaptiveP& stage, const RowInput& row, Step* step);

// Whether XTC happens: word / 2^64 < probability.
bool XtcHappens(const RowInput& row, double probability);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_EXACT_REWRITES_H_

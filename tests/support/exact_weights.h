// The integer weights of what a chain has left of a row, and its order.
#ifndef TESSERA_TESTS_SUPPORT_EXACT_WEIGHTS_H_
#define TESSERA_TESTS_SUPPORT_EXACT_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "tests/support/chain_steps.h"

namespace tessera::oracle {

// Of what is kept, by place, at the temperature of the step.
std::vector<uint64_t> WeightsOf(const Step& step);
std::vector<uint64_t> DistancesOf(const Step& step);

uint64_t SumOf(const std::vector<uint64_t>& weights);

// What new logits make of the order.
void SortKept(Step* step);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_EXACT_WEIGHTS_H_

// The second half of the oracle: laws, draws and states as exact integers over the sorted row. An
// executor's tokens and support must EQUAL these.
#ifndef TESSERA_TESTS_SUPPORT_EXACT_LAW_H_
#define TESSERA_TESTS_SUPPORT_EXACT_LAW_H_

#include <array>
#include <vector>

#include "tests/support/chain_steps.h"
#include "tests/support/edited_row.h"

namespace tessera::oracle {

using State = std::array<long double, 2>;  // as RowInput::state

struct ExactLaw {
  std::vector<TokenId> order;
  std::vector<float> y;           // by id
  double temperature = 1;         // that the weights were measured at
  std::vector<uint64_t> weights;  // by place in the order
  uint64_t total = 0;             // of the weights
  bool partial = false;           // the last weight is less than its logit says
};

// What the last step leaves.
ExactLaw ProcessedLaw(const ChainSteps& steps);

// Every candidate at the temperature of the chain (1 when greedy).
ExactLaw TemperedLaw(const EditedRow& row, const ChainSteps& steps);

// log-softmax of `y` over `order` at temperature 1.
ExactLaw PlainLaw(std::vector<float> y, std::vector<TokenId> order);

// The first id in id order, or in the law's order, whose inclusive weight exceeds
// mulhi64(word, total).
TokenId Draw(const ExactLaw& law, uint64_t word);
TokenId DrawSorted(const ExactLaw& law, uint64_t word);

// ln p of the id at `place`, and the entropy in nats: from the integers, in long double. The
// entropy is that of a law without a partial weight.
long double Logprob(const ExactLaw& law, size_t place);
long double Entropy(const ExactLaw& law);

// The row's state after `token` was drawn from `law`, by mirostat's and adaptive-p's published
// updates. Zeros for a chain without a state.
State StateAfter(const ChainSteps& steps, const Chain& chain, const RowInput& row,
                 const ExactLaw& law, TokenId token);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_EXACT_LAW_H_

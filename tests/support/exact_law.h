// The second half of the oracle: the support, the weights and the draw as exact integers over the
// sorted row. An executor's tokens and support must EQUAL these.
#ifndef TESSERA_TESTS_SUPPORT_EXACT_LAW_H_
#define TESSERA_TESTS_SUPPORT_EXACT_LAW_H_

#include <vector>

#include "tests/support/edited_row.h"

namespace tessera::oracle {

// A law over the first `size` ids of an order.
struct ExactLaw {
  std::vector<TokenId> order;
  size_t size = 0;
  std::vector<float> y;           // by id
  double temperature = 1;         // that the weights were measured at
  std::vector<uint64_t> weights;  // by place in the order, at least `size` of them
  uint64_t total = 0;             // of the first `size` weights
};

// What a chain's stages make of the sorted row; `order` must not be empty.
ExactLaw ProcessedLaw(const EditedRow& row, const Chain& chain);

// Every candidate at the temperature of the draw (1 when greedy).
ExactLaw TemperedLaw(const EditedRow& row, const Chain& chain);

// log-softmax of `y` over `order` at temperature 1.
ExactLaw PlainLaw(std::vector<float> y, std::vector<TokenId> order);

// The first id in id order whose inclusive weight exceeds mulhi64(word, total).
TokenId Draw(const ExactLaw& law, uint64_t word);

// ln p of the id at `place` < size, and the entropy in nats: from the integers, in long double.
long double Logprob(const ExactLaw& law, size_t place);
long double Entropy(const ExactLaw& law);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_EXACT_LAW_H_

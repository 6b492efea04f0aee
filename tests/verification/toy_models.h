// Small language models, given as integer weights, and their exact laws.
#ifndef TESSERA_TESTS_VERIFICATION_TOY_MODELS_H_
#define TESSERA_TESTS_VERIFICATION_TOY_MODELS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "kernels/types.h"
#include "tests/verification/fraction.h"

namespace tessera::testing {

using Tokens = std::vector<TokenId>;
using Law = std::map<Tokens, Fraction>;
using Weights = std::vector<uint64_t>;  // of the ids 0, 1, ...

// The next token's weights, by context.
using Model = std::function<Weights(const Tokens&)>;

// The published three-token pair: every context has a law of its own.
Weights PublishedTarget(const Tokens& context);
Weights PublishedDraft(const Tokens& context);

// A four-token pair; laws depend on the context, and some weights are 0.
Weights FourTokenTarget(const Tokens& context);
Weights FourTokenDraft(const Tokens& context);

// Weights as the sampler's own: the largest 2^44, totals uneven. Drafts may be dust but for one.
Weights WideTarget(const Tokens& context);
Weights WideDraft(const Tokens& context);
Weights DustyDraft(const Tokens& context);

// What PublishedDraft likes best has next to no weight here, so that hardly anything is left of it.
Weights OppositeTarget(const Tokens& context);
Weights DustyTarget(const Tokens& context);  // likewise for DustyDraft

// The model without its least likely token (the last of several) in every context.
Model Truncated(const Model& model);

uint64_t Total(const Weights& weights);
Fraction Share(const Weights& weights, TokenId token);

// The law of the next `length` tokens.
Law LawOfNext(const Model& model, int length);

// The law of the first `length` tokens where `emitted` tokens are followed by the model's own.
Law Completed(const Law& emitted, const Model& model, int length);

// Half the sum of absolute differences.
Fraction TotalVariation(const Law& a, const Law& b);

// Of the number of tokens.
Fraction MeanLength(const Law& law);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_VERIFICATION_TOY_MODELS_H_

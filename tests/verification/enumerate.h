// The law that a verification method emits, over all drafts, coins and draws, as exact fractions.
// The coroutines are the production ones; only their coins and residuals are answered here.
#ifndef TESSERA_TESTS_VERIFICATION_ENUMERATE_H_
#define TESSERA_TESTS_VERIFICATION_ENUMERATE_H_

#include <functional>

#include "kernels/verification/coins.h"
#include "kernels/verification/decision.h"
#include "kernels/verification/draft_tree.h"
#include "tests/verification/drafted.h"
#include "tests/verification/toy_models.h"

namespace tessera::testing {

using Method = std::function<Decision(const DraftTree&, Coins&)>;

// Of the accepted tokens and the one after them.
Law EmittedLaw(const Drafting& drafting, const Method& method);

// The same, where verification is told something else of the drafts than is so: `mistake` edits
// what it will see.
Law EmittedLawWith(const Drafting& drafting, const Method& method,
                   const std::function<void(Drafted*)>& mistake);

// Total variation between the first tokens (as many as the drafts are deep, plus one) that follow
// from `emitted`, and the target's.
Fraction ErrorOf(const Law& emitted, const Drafting& drafting);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_VERIFICATION_ENUMERATE_H_

// The methods of verification. Each is a coroutine over one sequence; `tree` and `coins` must
// outlive it. Their arithmetic and its error: docs/numerics.md 6.
#ifndef TESSERA_KERNELS_VERIFICATION_METHODS_H_
#define TESSERA_KERNELS_VERIFICATION_METHODS_H_

#include "kernels/verification/coins.h"
#include "kernels/verification/decision.h"
#include "kernels/verification/draft_tree.h"

namespace tessera {

// Chains only: node i is the only child of position i.
Decision VerifyToken(const DraftTree& tree, Coins& coins);
Decision VerifyBlock(const DraftTree& tree, Coins& coins);

// Trees; a chain is one.
Decision VerifyTree(const DraftTree& tree, Coins& coins);
Decision VerifyTraversal(const DraftTree& tree, Coins& coins);

// The draft law is not looked at. One coin per position, that of its first child.
Decision VerifyTargetOnly(const DraftTree& tree, Coins& coins);

// Lossy, by design. Takes a draft of p(x) > min(epsilon, alpha * exp(-entropy)); no coins.
Decision VerifyTypical(const DraftTree& tree, double epsilon, double alpha);

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_METHODS_H_

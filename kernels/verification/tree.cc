// TREE: multi-step speculative sampling over a tree (SpecInfer; EAGLE; recursive rejection). At a
// position, in draft order: accept child x with probability min(1, p'(x) / q'(x)) and go on below
// it; else p' becomes norm(max(p' - q', 0)) and, without replacement, q' loses x. Where no child is
// accepted the next token is drawn from p'; where there is none it is the bonus token.
#include <cstdint>

#include "kernels/verification/draft_tree.h"
#include "kernels/verification/methods.h"
#include "kernels/verification/node_tests.h"
#include "kernels/verification/remaining_law.h"

namespace tessera {

Decision VerifyTree(const DraftTree& tree, Coins& coins) {
  Verdict verdict;
  verdict.impossible = ImpossibleDrafts(tree);
  for (;;) {
    const std::vector<uint32_t>& children = tree.positions[verdict.position].children;
    if (children.empty()) co_return verdict;
    RemainingLaw law(tree, verdict.position, {uint64_t{1}, uint64_t{1}});
    ResidualResult left;
    bool moved = false;
    for (const uint32_t child : children) {
      moved = Accepts(coins, child, law.ChanceOf(child), &verdict);
      if (moved) {
        verdict.accepted.push_back(child);
        verdict.position = child + 1;
        break;
      }
      ResidualAsk ask = law.Without(child);
      ask.draw = child == children.back();
      left = co_await ask;
      law.Reject(child, ask, left.total);
    }
    if (moved) continue;
    if (left.total == U128{}) {
      const ResidualAsk ask = TargetItself(verdict.position);
      left = co_await ask;
    }
    verdict.token = left.token;
    co_return verdict;
  }
}

}  // namespace tessera

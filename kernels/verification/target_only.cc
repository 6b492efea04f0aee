// TARGET_ONLY: tree verification by the target law alone (SGLang, at thresholds of 1). At a
// position one coin is held against the running sum of p over the distinct children, in draft
// order; the first child at which the coin is below the sum is accepted. Where none is, the next
// token is drawn from p without the children; where there are none it is the bonus token.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/verification/draft_tree.h"
#include "kernels/verification/methods.h"
#include "kernels/verification/node_tests.h"
#include "kernels/verification/ratio.h"

namespace tessera {
namespace {

// The child that the coin falls on, or -1. `ask` becomes p without all children.
int64_t AcceptedChild(const DraftTree& tree, uint32_t position, Coins& coins, ResidualAsk* ask,
                      Verdict* verdict) {
  const DraftPosition& here = tree.positions[position];
  const uint32_t coin = here.children.front();
  uint64_t sum = 0;
  for (const uint32_t child : here.children) {
    const DraftNode& node = tree.nodes[child];
    std::vector<TokenId>& seen = ask->excluded;
    if (std::find(seen.begin(), seen.end(), node.token) != seen.end()) continue;
    seen.push_back(node.token);
    sum += node.target_weight;
    const Ratio ratio = {sum, here.target_total};
    const bool accepted = coins.Below(coin, ratio);
    verdict->tests.push_back({child, ProbabilityOf(ratio), coins.word(coin), accepted});
    if (accepted) return child;
  }
  return -1;
}

}  // namespace

Decision VerifyTargetOnly(const DraftTree& tree, Coins& coins) {
  Verdict verdict;
  while (!tree.positions[verdict.position].children.empty()) {
    ResidualAsk ask = TargetItself(verdict.position);
    const int64_t child = AcceptedChild(tree, verdict.position, coins, &ask, &verdict);
    if (child < 0) {
      const ResidualResult drawn = co_await ask;
      verdict.token = drawn.token;
      break;
    }
    verdict.accepted.push_back(static_cast<uint32_t>(child));
    verdict.position = static_cast<uint32_t>(child) + 1;
  }
  co_return verdict;
}

}  // namespace tessera

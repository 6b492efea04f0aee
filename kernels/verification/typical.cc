// TYPICAL: typical acceptance (Medusa). Lossy by design. A draft x is fine if
//     p(x) > min(epsilon, alpha * exp(-H)),   H the entropy of p in nats,
// strictly, p being the law after the position's chain. Taken is the longest path from the root of
// which every draft is fine; of several that long the one of the largest product of p(x), then the
// one whose last node comes first. The next token is drawn from p there. Doubles, host only.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/math/log.h"
#include "kernels/verification/draft_tree.h"
#include "kernels/verification/methods.h"
#include "kernels/verification/node_tests.h"

namespace tessera {
namespace {

struct Prefix {
  uint32_t drafts = 0;  // on the path to a position
  double product = 1;   // of their p(x)
  bool fine = true;     // all of them
};

bool IsBetter(const Prefix& a, const Prefix& b) {
  return a.drafts != b.drafts ? a.drafts > b.drafts : a.product > b.product;
}

}  // namespace

Decision VerifyTypical(const DraftTree& tree, double epsilon, double alpha) {
  Verdict verdict;
  std::vector<Prefix> prefixes(tree.positions.size());
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    const DraftNode& draft = tree.nodes[node];
    const DraftPosition& position = tree.positions[draft.parent];
    const Prefix& parent = prefixes[draft.parent];
    const double p =
        static_cast<double>(draft.target_weight) / static_cast<double>(position.target_total);
    const bool fine = p > std::min(epsilon, alpha * Exp(-position.entropy));
    if (parent.fine) verdict.tests.push_back({node, p, 0, fine});
    prefixes[node + 1] = {parent.drafts + 1, parent.product * p, parent.fine && fine};
    const Prefix& prefix = prefixes[node + 1];
    if (prefix.fine && IsBetter(prefix, prefixes[verdict.position])) verdict.position = node + 1;
  }
  for (uint32_t at = verdict.position; at != 0; at = tree.nodes[at - 1].parent) {
    verdict.accepted.push_back(at - 1);
  }
  std::reverse(verdict.accepted.begin(), verdict.accepted.end());
  if (!tree.positions[verdict.position].children.empty()) {
    const ResidualAsk ask = TargetItself(verdict.position);
    const ResidualResult drawn = co_await ask;
    verdict.token = drawn.token;
  }
  co_return verdict;
}

}  // namespace tessera

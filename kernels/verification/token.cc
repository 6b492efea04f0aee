// TOKEN: speculative sampling (Leviathan et al. 2023, Chen et al. 2023). Accept draft x with
// probability min(1, p(x) / q(x)); at the first rejection draw from norm(max(p - q, 0)); where all
// are accepted, draw the bonus token. A one-hot q is the case q(x) = 1: the residual is p without
// x.
#include <cstdint>
#include <utility>

#include "kernels/verification/draft_tree.h"
#include "kernels/verification/lower_fraction.h"
#include "kernels/verification/methods.h"
#include "kernels/verification/node_tests.h"
#include "kernels/verification/ratio.h"

namespace tessera {
namespace {

// p(x) / q(x) = P_x * W_q / (W_p * Q_x), exactly.
Ratio TargetOverDraft(const DraftPosition& position, const DraftNode& node) {
  if (node.draft_weight == 0) return {};  // cannot have been drawn: rejected
  return {Multiply(node.target_weight, position.draft_total),
          Multiply(position.target_total, node.draft_weight)};
}

// max(p - q, 0) in units of 1 / (W_p * W_q): A = W_q, B = W_p.
ResidualAsk TargetMinusDraft(const DraftTree& tree, uint32_t node) {
  const DraftPosition& position = tree.positions[node];
  ResidualAsk ask;
  ask.position = node;
  ask.draw = true;
  if (position.one_hot) {
    ask.excluded.push_back(tree.nodes[node].token);
  } else {
    const Scalars scalars = ResidualScalars(position.draft_total, position.target_total);
    ask.a = scalars.a;
    ask.b = scalars.b;
  }
  return ask;
}

}  // namespace

Decision VerifyToken(const DraftTree& tree, Coins& coins) {
  Verdict verdict;
  verdict.impossible = ImpossibleDrafts(tree);
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    verdict.position = node;  // in a chain node i follows position i
    const Ratio ratio = TargetOverDraft(tree.positions[node], tree.nodes[node]);
    if (Accepts(coins, node, ratio, &verdict)) {
      verdict.accepted.push_back(node);
      continue;
    }
    ResidualAsk ask = TargetMinusDraft(tree, node);
    ResidualResult drawn = co_await ask;
    if (drawn.total == U128{}) {
      ask = TargetItself(node);
      drawn = co_await ask;
    }
    verdict.token = drawn.token;
    co_return verdict;
  }
  verdict.position = static_cast<uint32_t>(tree.nodes.size());
  co_return verdict;
}

}  // namespace tessera

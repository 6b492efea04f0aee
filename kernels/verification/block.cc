// BLOCK: block verification (Sun et al. 2024). P_0 = 1, P_i = min(1, P_(i-1) * p(x_i) / q(x_i));
// S_i = sum over v of max(P_i * p(v) - q(v), 0) at position i; h_i = S_i / (S_i + 1 - P_i), 1 where
// the denominator is 0, and h_gamma = P_gamma. Accepted are the first tau drafts, tau the largest i
// whose own coin is below h_i. The next token is drawn from norm(max(P_tau * p - q, 0)), or is the
// bonus token where tau = gamma.
//
// P_i is kept as scalars with P_i = A * W_p / (B * W_q), so that everything above counts in units
// of 1 / (B * W_q): the residual is max(A * P_v - B * Q_v, 0) and 1 - P_i is B * W_q - A * W_p.
#include <cstdint>
#include <vector>

#include "kernels/verification/draft_tree.h"
#include "kernels/verification/measure.h"
#include "kernels/verification/methods.h"
#include "kernels/verification/node_tests.h"
#include "kernels/verification/ratio.h"

namespace tessera {
namespace {

// P_(i+1) = min(1, P_i * p(x) / q(x)).
Ratio Next(const Measure& here, const DraftPosition& position, const DraftNode& node) {
  if (node.draft_weight == 0) return {};  // cannot have been drawn
  const Ratio next = {U256(Multiply(here.scalars.a, node.target_weight)) * position.draft_total,
                      U256(here.unit) * node.draft_weight};
  return IsOne(next) ? Ratio{uint64_t{1}, uint64_t{1}} : next;
}

ResidualAsk ResidualOf(const DraftTree& tree, uint32_t position, const Scalars& scalars) {
  ResidualAsk ask;
  ask.position = position;
  ask.draw = true;
  ask.a = scalars.a;
  if (tree.positions[position].one_hot) {
    ask.excluded.push_back(tree.nodes[position].token);
  } else {
    ask.b = scalars.b;
  }
  return ask;
}

// h_i.
Ratio ChanceToStopAt(const DraftPosition& position, const Measure& here, const U128& residual) {
  const U128 one_minus = here.unit - Multiply(here.scalars.a, position.target_total);
  const U128 den = residual + one_minus;
  if (den == U128{}) return {uint64_t{1}, uint64_t{1}};
  return {residual, den};
}

}  // namespace

Decision VerifyBlock(const DraftTree& tree, Coins& coins) {
  const auto gamma = static_cast<uint32_t>(tree.nodes.size());
  Verdict verdict;
  verdict.impossible = ImpossibleDrafts(tree);

  std::vector<Measure> reached;  // of positions 0, 1, ...; shorter than gamma once P_i is 0
  Ratio probability = {uint64_t{1}, uint64_t{1}};
  for (uint32_t node = 0; node < gamma && !IsNegligible(probability); ++node) {
    const DraftPosition& position = tree.positions[node];
    reached.push_back(MeasureOf(probability, position));
    probability = Next(reached.back(), position, tree.nodes[node]);
  }
  if (reached.size() < gamma) probability = {};

  uint32_t tau = gamma;
  if (gamma > 0 && !Accepts(coins, gamma - 1, probability, &verdict)) {
    std::vector<ResidualAsk> asks;
    for (uint32_t i = 0; i < reached.size(); ++i) {
      asks.push_back(ResidualOf(tree, i, reached[i].scalars));
    }
    const std::vector<ResidualResult> residuals = co_await asks;
    tau = static_cast<uint32_t>(reached.size()) - 1;
    for (; tau > 0; --tau) {
      const Ratio chance = ChanceToStopAt(tree.positions[tau], reached[tau], residuals[tau].total);
      if (Accepts(coins, tau - 1, chance, &verdict)) break;
    }
    verdict.token = residuals[tau].token;
    if (residuals[tau].total == U128{}) {
      const ResidualAsk ask = TargetItself(tau);
      const ResidualResult drawn = co_await ask;
      verdict.token = drawn.token;
    }
  }
  for (uint32_t node = 0; node < tau; ++node) verdict.accepted.push_back(node);
  verdict.position = tau;
  co_return verdict;
}

}  // namespace tessera

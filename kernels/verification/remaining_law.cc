#include "kernels/verification/remaining_law.h"

#include <algorithm>
#include <cstdint>

#include "kernels/math/residual.h"
#include "kernels/verification/lower_fraction.h"
#include "kernels/verification/measure.h"

namespace tessera {

RemainingLaw::RemainingLaw(const DraftTree& tree, uint32_t position, const Ratio& pi)
    : tree_(&tree),
      position_(position),
      one_hot_(tree.positions[position].one_hot),
      draft_total_(one_hot_ ? 1 : tree.positions[position].draft_total) {
  const uint64_t target_total = tree.positions[position].target_total;
  if (IsOne(pi)) {
    sum_ = unit_ = {0, target_total};
    return;
  }
  const Measure measure = MeasureOf(pi, tree.positions[position]);
  a_ = measure.scalars.a;
  sum_ = Multiply(a_, target_total);
  unit_ = measure.unit;
}

Ratio RemainingLaw::Chance() const {
  if (unit_ == sum_) return {uint64_t{1}, uint64_t{1}};
  return {sum_, unit_};
}

Ratio RemainingLaw::ChanceOf(uint32_t node) const {
  const DraftNode& draft = tree_->nodes[node];
  if (IsImpossible(*tree_, node) || IsExcluded(draft.token) || unit_ == U128{}) return {};
  const U128 left = ResidualWeight(a_, draft.target_weight, b_, draft.draft_weight);
  const Ratio chance = {U256(left) * draft_total_, U256(unit_) * draft.draft_weight};
  return IsOne(chance) ? Ratio{uint64_t{1}, uint64_t{1}} : chance;
}

ResidualAsk RemainingLaw::Without(uint32_t node) const {
  ResidualAsk ask;
  ask.position = position_;
  ask.a = a_;
  if (one_hot_) {
    ask.excluded = excluded_;
    const TokenId token = tree_->nodes[node].token;
    if (!IsExcluded(token)) ask.excluded.push_back(token);
    return ask;
  }
  ask.b = b_;
  if (draft_total_ == 0) return ask;  // nothing was left to draw the child from
  const Scalars scalars =
      ResidualScalars(Multiply(a_, draft_total_), U256(Multiply(b_, draft_total_)) + U256(unit_));
  ask.a = scalars.a;
  ask.b = scalars.b;
  return ask;
}

void RemainingLaw::Reject(uint32_t node, const ResidualAsk& without, const U128& total) {
  // (1 - pi) * T, in the new units: those are to the old ones as the new A to the old.
  const U256 missing = Divide(U256(unit_ - sum_) * without.a, a_).quotient;
  a_ = without.a;
  b_ = without.b;
  excluded_ = without.excluded;
  sum_ = total;
  unit_ = total + LowWords(missing);
  if (!one_hot_ && tree_->without_replacement && !IsImpossible(*tree_, node)) {
    draft_total_ -= tree_->nodes[node].draft_weight;
  }
}

bool RemainingLaw::IsExcluded(TokenId token) const {
  return std::find(excluded_.begin(), excluded_.end(), token) != excluded_.end();
}

}  // namespace tessera

// Moves the state of a row on after its draw: mirostat's and adaptive-p's, as their stages say
// (kernels/stages/mirostat.h, adaptive_p.h).
#ifndef TESSERA_KERNELS_ROW_ROW_STATE_H_
#define TESSERA_KERNELS_ROW_ROW_STATE_H_

#include <cstdint>

#include "kernels/math/log.h"
#include "kernels/row/narrow.h"
#include "kernels/row/report.h"

namespace tessera {

// The probability of the drawn token, in the law of a weigher and a total. By the thread that wrote
// the token.
template <class Row>
TESSERA_HD double DrawnProbability(const Row& row, const Weigher& weigher, uint64_t total) {
  const float y = row.LogitAt(row.result()->tokens[0]);
  return static_cast<double>(WeightOf(weigher, y)) / static_cast<double>(total);
}

template <class Row>
TESSERA_HD void MoveMirostat(Row& row, const Cut& cut, const WeighedLaw& law) {
  row.ForEach(1, [&](uint32_t) {
    const RowInput& input = row.input();
    const double mu = input.has_state ? input.state[0] : 2 * cut.value;
    const double surprisal = -Log2(DrawnProbability(row, WeigherOf(row, law), law.weight));
    row.result()->state[0] = mu - cut.second * (surprisal - cut.value);
  });
}

// The token's probability before the rewrite is asked for; the edited view still has its logit.
template <class Row>
TESSERA_HD void MoveAdaptive(Row& row, const Cut& cut) {
  row.Open(View::kEdited);
  row.ForEach(1, [&](uint32_t) {
    const RowInput& input = row.input();
    const double start = 1 / (1 - cut.second);
    const double sum = input.has_state ? input.state[0] : cut.value * start;
    const double count = input.has_state ? input.state[1] : start;
    const Weigher weigher = MakeWeigher(FromOrderKey(row.noted_key()), cut.c);
    const double p = DrawnProbability(row, weigher, row.noted_weight());
    row.result()->state[0] = p + cut.second * sum;
    row.result()->state[1] = 1 + cut.second * count;
  });
}

// REQUIRES: the plan is stateful, and a token was drawn from `law` of the open view. Another may be
// open afterwards.
template <class Row>
TESSERA_HD void MoveState(Row& row, const WeighedLaw& law) {
  const Plan& plan = *row.input().plan;
  const Cut& cut = plan.cuts[plan.cut_count - 1];
  if (cut.kind == Cut::Kind::kAdaptive) return MoveAdaptive(row, cut);
  MoveMirostat(row, cut, law);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_ROW_STATE_H_

// The states of chains after their rows' draws.
#include "service/encode.h"

namespace tessera {
namespace {

// False where the row's chain has no state, or did not draw.
bool EncodeState(const RowInput& input, const RowResult& result, v1::StageState* state) {
  const Plan& plan = *input.plan;
  if (input.samples == 0 || plan.greedy) return false;
  if (plan.generator == Generator::kXorshift64) state->set_xorshift64(input.words.back());
  if (!plan.stateful) return state->has_xorshift64();
  if (plan.cuts[plan.cut_count - 1].kind == Cut::Kind::kAdaptive) {
    state->mutable_adaptive_p()->set_weighted_sum(result.state[0]);
    state->mutable_adaptive_p()->set_total_weight(result.state[1]);
  } else {
    state->mutable_mirostat()->set_mu(result.state[0]);
  }
  return true;
}

}  // namespace

void EncodeStates(const Job& job, absl::Span<const RowResult> results,
                  v1::SampleTokensResponse* response) {
  for (size_t i = 0; i < results.size(); ++i) {
    v1::StageState state;
    if (results[i].outcome != Outcome::kOk || !EncodeState(job.rows[i], results[i], &state))
      continue;
    v1::RowState* row = response->add_states();
    row->set_row(job.row_indices[i]);
    *row->mutable_state() = std::move(state);
  }
}

}  // namespace tessera

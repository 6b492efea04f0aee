#include "service/explain_verification.h"

#include <algorithm>

#include "service/last_positions.h"

namespace tessera {
namespace {

constexpr size_t kShown = 12;  // tokens, by what is left of them

void WriteTests(const DraftedSequence& sequence, const SequenceResult& result,
                v1::VerificationExplanation* out) {
  for (const NodeTest& test : result.verdict.tests) {
    v1::DraftTest* written = out->add_tests();
    written->set_node(test.node);
    written->set_id(sequence.ids[test.node]);
    written->set_target_probability(result.target_probabilities[test.node]);
    written->set_draft_probability(result.draft_probabilities[test.node]);
    written->set_acceptance_probability(test.probability);
    written->set_word(test.word);
    written->set_passed(test.accepted);
  }
}

// What max(a * P - b * Q, 0) leaves of each token, in units of its sum.
std::vector<double> LeftOf(const LastPosition& last, const SequenceResult& result) {
  const ResidualAsk& ask = result.last_draw;
  std::vector<double> left;
  for (size_t i = 0; i < last.ids.size(); ++i) {
    const U128 of_target = Multiply(ask.a, last.target_weights[i]);
    const U128 of_draft = Multiply(ask.b, last.draft_weights[i]);
    const auto& excluded = ask.excluded;
    const bool gone = of_target <= of_draft ||
                      std::find(excluded.begin(), excluded.end(), last.ids[i]) != excluded.end();
    left.push_back(gone ? 0 : ToDouble(of_target - of_draft) / ToDouble(result.last_total));
  }
  return left;
}

void WriteDraw(const LastPosition& last, const SequenceResult& result, v1::FinalDraw* out) {
  const ResidualAsk& ask = result.last_draw;
  const auto target_total = static_cast<double>(last.target_total);
  const auto draft_total = static_cast<double>(last.draft_total);
  const double of_target = static_cast<double>(ask.a) * target_total;
  const double unit = ask.b == 0 ? of_target : static_cast<double>(ask.b) * draft_total;
  out->set_position(result.verdict.position);
  out->set_target_scale(of_target / unit);
  out->set_draft_scale(ask.b == 0 ? 0 : 1);
  out->set_mass(ToDouble(result.last_total) / unit);
  out->mutable_excluded_ids()->Add(ask.excluded.begin(), ask.excluded.end());
  const std::vector<double> left = LeftOf(last, result);
  std::vector<size_t> order(left.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return left[a] > left[b]; });
  order.resize(std::min(order.size(), kShown));
  for (const size_t i : order) {
    v1::ResidualLeader* leader = out->add_leaders();
    leader->set_id(last.ids[i]);
    leader->set_target_probability(static_cast<double>(last.target_weights[i]) / target_total);
    if (last.draft_total > 0) {
      leader->set_draft_probability(static_cast<double>(last.draft_weights[i]) / draft_total);
    }
    leader->set_probability(left[i]);
  }
}

}  // namespace

absl::Status ExplainVerification(const VerificationBatch& batch,
                                 absl::Span<const SequenceResult> results, Backend& backend,
                                 std::vector<v1::VerificationExplanation>* explanations) {
  const absl::StatusOr<std::vector<LastPosition>> last = ReadLastPositions(batch, results, backend);
  if (!last.ok()) return last.status();
  explanations->assign(results.size(), {});
  for (const LastPosition& one : *last) {
    v1::VerificationExplanation& explanation = (*explanations)[one.sequence];
    WriteTests(batch.sequences[one.sequence], results[one.sequence], &explanation);
    WriteDraw(one, results[one.sequence], explanation.mutable_final_draw());
  }
  return absl::OkStatus();
}

}  // namespace tessera

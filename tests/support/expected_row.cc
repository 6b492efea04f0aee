#include "tests/support/expected_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "tests/support/compare_report.h"
#include "tests/support/complaints.h"
#include "tests/support/exact_arithmetic.h"
#include "tests/support/exact_chain.h"
#include "tests/support/exact_law.h"
#include "tests/support/expected_law.h"
#include "tests/support/mode_law.h"
#include "tests/support/real_steps.h"

namespace tessera::testing {

using oracle::EditedRow;
using oracle::ExactLaw;

struct ExpectedRow::Laws {
  EditedRow edited;
  oracle::ChainSteps steps;
  std::array<std::optional<ModeLaw>, kLogprobModes> modes;
  std::vector<TokenId> tokens;
  oracle::State state = {0, 0};
  std::string oracles_differ;

  const ModeLaw& processed() const { return *modes[static_cast<int>(LogprobMode::kProcessed)]; }

  void AddMode(const RowSpec& row, LogprobMode mode, absl::Span<const float> logits,
               const RowInput& input) {
    ModeLaw& law = modes[static_cast<int>(mode)].emplace();
    switch (mode) {
      case LogprobMode::kRaw:
      case LogprobMode::kRawMasked: {
        auto order = oracle::ReceivedOrder(logits, input, mode == LogprobMode::kRawMasked);
        law.invalid = !order.has_value();
        if (law.invalid) return;
        law.exact = oracle::PlainLaw({logits.begin(), logits.end()}, *std::move(order));
        break;
      }
      case LogprobMode::kTempered:
        law.exact = oracle::TemperedLaw(edited, steps);
        break;
      case LogprobMode::kProcessed:
        law.exact = oracle::ProcessedLaw(steps);
        break;
    }
    oracles_differ += OraclesDiffer(law.exact, (row.entropy_modes & Bit(mode)) != 0);
    law.Index(row.ties_against);
  }

  void DrawTokens(const RowSpec& row, const RowInput& input) {
    const ExactLaw& law = processed().exact;
    for (uint32_t i = 0; i < row.samples; ++i) {
      const uint64_t word = row.words.empty()
                                ? oracle::DrawWord(row.seed, row.position, row.stream, i)
                                : row.words[i];
      tokens.push_back(steps.sorted_draw ? oracle::DrawSorted(law, word) : oracle::Draw(law, word));
    }
    if (row.samples == 0) return;
    state = oracle::StateAfter(steps, row.chain, input, law, tokens[0]);
  }
};

ExpectedRow::ExpectedRow(const RowSpec& row, int64_t vocab_size)
    : row_(row), laws_(std::make_unique<Laws>()) {
  const absl::Span<const float> logits = absl::MakeConstSpan(row.logits).first(vocab_size);
  const RowInput input = row.Input(nullptr, 0);
  absl::Span<const float> guidance = row.guidance;
  if (!guidance.empty()) guidance = guidance.first(vocab_size);
  laws_->edited = oracle::Edited(logits, input, row.chain, {row.prompt, row.output, guidance});
  if (laws_->edited.outcome != Outcome::kOk) return;
  laws_->steps = oracle::ExactSteps(laws_->edited, row.chain, input);
  laws_->oracles_differ = oracle::JudgeSteps(laws_->edited, row.chain, input, laws_->steps);
  const uint8_t wanted = row.logprob_modes | row.entropy_modes | Bit(LogprobMode::kProcessed);
  for (int mode = 0; mode < kLogprobModes; ++mode) {
    const auto name = static_cast<LogprobMode>(mode);
    if ((wanted & Bit(name)) != 0) laws_->AddMode(row, name, logits, input);
  }
  laws_->DrawTokens(row, input);
}

ExpectedRow::~ExpectedRow() = default;

Outcome ExpectedRow::outcome() const { return laws_->edited.outcome; }

std::string ExpectedRow::Compare(const RowResult& result) const {
  Complaints bad;
  bad.Same("outcome", int{static_cast<uint8_t>(result.outcome)},
           int{static_cast<uint8_t>(outcome())});
  if (result.outcome != outcome()) return bad.text();
  if (outcome() != Outcome::kOk) {
    for (TokenId token : result.tokens) bad.Same("token of a row that failed", token, -1);
    bad.Same("law_ids.size of a row that failed", result.law_ids.size(), 0u);
    return bad.text();
  }
  bad.Same("tokens.size", result.tokens.size(), laws_->tokens.size());
  for (size_t i = 0; i < std::min(result.tokens.size(), laws_->tokens.size()); ++i) {
    bad.Same("tokens[" + std::to_string(i) + "]", result.tokens[i], laws_->tokens[i]);
  }
  if (row_.want_support_size) {
    bad.Same("support_size", result.support_size, laws_->processed().exact.order.size());
  }
  for (int i = 0; i < 2; ++i) {
    const long double state = laws_->state[i];
    const auto tolerance = static_cast<double>(1e-9L * (1 + std::fabs(state)));
    bad.Near("state[" + std::to_string(i) + "]", result.state[i], state, tolerance);
  }
  bool raw_invalid = false;
  for (const auto& mode : laws_->modes) raw_invalid |= mode.has_value() && mode->invalid;
  bad.Same("raw_invalid", result.raw_invalid, raw_invalid);
  for (int mode = 0; mode < kLogprobModes; ++mode) {
    const auto& law = laws_->modes[mode];
    CompareReport(row_, mode, law.has_value() ? &*law : nullptr, laws_->tokens,
                  result.reports[mode], &bad);
  }
  return laws_->oracles_differ + bad.text() + JudgeLaw(row_, laws_->processed().exact, result);
}

}  // namespace tessera::testing

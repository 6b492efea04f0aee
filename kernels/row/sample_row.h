// The row algorithm: masks and edits, narrowing, draws, reports. Every executor runs this.
#ifndef TESSERA_KERNELS_ROW_SAMPLE_ROW_H_
#define TESSERA_KERNELS_ROW_SAMPLE_ROW_H_

#include <cstdint>

#include "kernels/math/philox.h"
#include "kernels/row/draw.h"
#include "kernels/row/narrow.h"
#include "kernels/row/report.h"
#include "kernels/row/report_law.h"
#include "kernels/row/row_state.h"

namespace tessera {

// A row without tokens: nothing is reported beside the outcome.
template <class Row>
TESSERA_HD void FailRow(Row& row, Outcome outcome) {
  row.ForEach(row.input().samples, [&](uint32_t i) { row.result()->tokens[i] = -1; });
  row.Once([&] {
    row.result()->outcome = outcome;
    for (LogprobReport& report : row.result()->reports) report = {};
    row.result()->law_ids = {row.result()->law_ids.data(), 0};
  });
}

// A row that cannot be sampled. Where it holds NaN or +inf, says which id came first.
template <class Row>
TESSERA_HD void FailRow(Row& row, const RowMax& max) {
  if (!max.invalid) return FailRow(row, Outcome::kEmptySupport);
  const TokenId id = row.FirstInvalid();
  FailRow(row, Outcome::kInvalidLogits);
  row.Once([&] {
    row.result()->invalid_id = id;
    row.result()->invalid_logit = row.LogitAt(id);
  });
}

// The random word of a row's i-th draw.
TESSERA_HD inline uint64_t DrawWord(const RowInput& input, uint32_t i) {
  if (!input.words.empty()) return input.words.data()[i];
  return RandomWord(input.seed, input.position, input.stream, Purpose::kDraw, i);
}

// Draws the row's tokens. REQUIRES: the law's weight is known.
template <class Row>
TESSERA_HD void DrawTokens(Law<Row>& law, float c) {
  Row& row = law.row;
  const auto word = [&](uint32_t i) { return DrawWord(row.input(), i); };
  const auto write = [&](uint32_t i, TokenId id) { row.result()->tokens[i] = id; };
  if (row.input().plan->sorted_draw || row.input().plan->partial) {
    DrawSorted(law, c, row.input().samples, word, write);
  } else {
    Draw(law, c, row.input().samples, word, write);
  }
}

// Narrows and draws; the law that was drawn from.
template <class Row>
TESSERA_HD WeighedLaw DrawRow(Row& row) {
  Law<Row> law(row);
  const Plan& plan = *row.input().plan;
  Narrow(law);
  const float c = plan.greedy ? kLog2EFloat : plan.c;
  if (plan.greedy) {
    const int32_t top = row.max_key();
    law.KeepOnly(row.NthTie(PartBetween(law.support, top, top), 1));
  }
  const bool processed = Wants(row.input().logprob_modes, LogprobMode::kProcessed);
  if (row.input().samples > 0 || processed || row.input().want_law) WeighLaw(law, c);
  const uint64_t missing = MissingWeight(law);
  const uint64_t weight = law.weight - missing;
  if (row.input().samples > 0) DrawTokens(law, c);
  if (row.input().want_support_size) {
    const uint32_t size = law.listed ? row.list_size() : row.Count(law.support);
    row.Once([&] { row.result()->support_size = size; });
  }
  return {law.support, weight, law.listed, LogprobMode::kProcessed, missing};
}

// The law of all candidates of the open view.
template <class Row>
TESSERA_HD WeighedLaw WholeLaw(Row& row, LogprobMode mode) {
  WeighedLaw law{AllCandidates(), 0, false, mode, 0};
  law.weight = row.Weigh(WeigherOf(row, law), law.support, kNoBound).total;
  return law;
}

TESSERA_HD inline View ViewOf(LogprobMode mode) {
  if (mode == LogprobMode::kRaw) return View::kReceived;
  return mode == LogprobMode::kRawMasked ? View::kMasked : View::kEdited;
}

// PROCESSED comes before these, and first of them the mode of the view that is probably open: a
// device may have to read the row again for another.
TESSERA_HD inline LogprobMode ModeOfStep(int step) {
  constexpr int kTempered = static_cast<int>(LogprobMode::kTempered);
  return static_cast<LogprobMode>(step == 0 ? kTempered : step - 1);
}

// Runs one row.
template <class Row>
TESSERA_HD void SampleRow(Row& row) {
  RowMax max = row.Open(View::kEdited);
  if (max.invalid || max.key == kOrderKeyNegInf) return FailRow(row, max);
  row.Once([&] { row.result()->outcome = Outcome::kOk; });

  const bool processed = Wants(row.input().logprob_modes, LogprobMode::kProcessed);
  const bool wants_law = row.input().want_support_size || row.input().want_law;
  if (row.input().samples > 0 || wants_law || processed) {
    const WeighedLaw law = DrawRow(row);
    if (processed) FillReport(row, law, LogprobMode::kProcessed);
    if (row.input().want_law) FillLaw(row, law);
    if (row.input().plan->stateful && row.input().samples > 0) MoveState(row, law);
  }
  TESSERA_NO_UNROLL
  for (int step = 0; step < kLogprobModes - 1; ++step) {
    const LogprobMode mode = ModeOfStep(step);
    if (!Wants(row.input().logprob_modes, mode)) continue;
    max = row.Open(ViewOf(mode));
    const bool raw = IsRaw(mode);
    if (raw) row.Once([&] { row.result()->raw_invalid |= max.invalid; });
    if (max.invalid) {
      FillInvalid(row, mode);
      continue;
    }
    FillReport(row, WholeLaw(row, mode), mode);
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SAMPLE_ROW_H_

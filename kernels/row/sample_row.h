// The row algorithm: masks and edits, narrowing, draws, reports. Every executor runs this.
#ifndef TESSERA_KERNELS_ROW_SAMPLE_ROW_H_
#define TESSERA_KERNELS_ROW_SAMPLE_ROW_H_

#include <cstdint>

#include "kernels/backend.h"
#include "kernels/math/philox.h"
#include "kernels/row/draw.h"
#include "kernels/row/edits.h"
#include "kernels/row/narrow.h"
#include "kernels/row/report.h"
#include "kernels/row/scratch.h"

namespace tessera {

inline bool Wants(uint8_t modes, LogprobMode mode) {
  return (modes >> static_cast<int>(mode) & 1) != 0;
}

// A row without tokens: nothing is reported beside the outcome.
inline void FailRow(Outcome outcome, RowResult* result) {
  result->outcome = outcome;
  for (TokenId& token : result->tokens) token = -1;
  for (LogprobReport& report : result->reports) report = {};
}

// A row that holds NaN or +inf: says which id came first.
template <class Passes>
void FailInvalidRow(Passes& edited, RowResult* result) {
  FailRow(Outcome::kInvalidLogits, result);
  for (uint32_t id = 0; id < edited.row().columns; ++id) {
    const float y = LogitAt(edited.row(), id);
    if (y <= FromOrderKey(kOrderKeyMaxFinite)) continue;  // false for NaN
    result->invalid_id = static_cast<TokenId>(id);
    result->invalid_logit = y;
    return;
  }
}

// The first key of the law's support: its largest logit, the lowest id among ties.
template <class Passes>
TokenKey FirstKey(Law<Passes>& law) {
  if (!law.listed) {
    TokenKey first = 0;
    const Interval top{FloorKey(OrderKey(law.y_max)), law.support.hi};
    law.passes.Collect(top, &first, 1);
    return first;
  }
  TokenKey first = 0;
  for (uint32_t i = 0; i < law.list.size; ++i) {
    if (law.list.keys[i] > first) first = law.list.keys[i];
  }
  return first;
}

// Narrows, draws, and reports on the law that was drawn from.
template <class Passes>
void DrawRow(Law<Passes>& law, const RowInput& input, RowScratch& scratch, RowResult* result) {
  const Plan& plan = *input.plan;
  Narrow(law, plan);
  if (plan.greedy) {
    const TokenKey first = FirstKey(law);
    law.support = {first, first};
    law.listed = true;
    law.list.keys[0] = first;
    law.list.size = 1;
  }
  const float c = plan.greedy ? kLog2EFloat : plan.c;
  const bool processed = Wants(input.logprob_modes, LogprobMode::kProcessed);
  if (input.samples > 0 || processed) Accumulate(law, c);
  for (uint32_t i = 0; i < input.samples; ++i) {
    const uint64_t u = RandomWord(input.seed, input.position, input.stream, Purpose::kDraw, i);
    result->tokens[i] = Draw(law, c, u);
  }
  if (input.want_support_size) {
    result->support_size = law.listed ? law.list.size : law.passes.Count(law.support);
  }
  if (!processed) return;
  const WeighedLaw<Passes> drawn{law.passes,
                                 law.support,
                                 law.y_max,
                                 c,
                                 plan.temperature,
                                 law.weight,
                                 law.listed ? &law.list : nullptr};
  FillReport(drawn, input, LogprobMode::kProcessed, result->tokens, scratch,
             &result->reports[static_cast<int>(LogprobMode::kProcessed)]);
}

// Reports on the law of all candidates of a row.
template <class Passes>
void ReportWhole(Passes& passes, const RowMax& max, float c, double temperature, LogprobMode mode,
                 const RowInput& input, RowScratch& scratch, RowResult* result) {
  LogprobReport* report = &result->reports[static_cast<int>(mode)];
  if (max.invalid) return FillInvalid(input, mode, report);
  const WeighedLaw<Passes> law = WholeLaw(passes, max.key, c, temperature, scratch);
  FillReport(law, input, mode, result->tokens, scratch, report);
}

// The modes that speak of the logits as received.
template <class Passes>
void ReportReceived(Passes& received, const RowMax& max, const RowInput& input, RowScratch& scratch,
                    RowResult* result) {
  if (Wants(input.logprob_modes, LogprobMode::kRaw)) {
    result->raw_invalid = max.invalid;
    ReportWhole(received, max, kLog2EFloat, 1, LogprobMode::kRaw, input, scratch, result);
  }
  if (!Wants(input.logprob_modes, LogprobMode::kRawMasked)) return;
  if (input.grammar.empty()) {
    result->raw_invalid = max.invalid;
    ReportWhole(received, max, kLog2EFloat, 1, LogprobMode::kRawMasked, input, scratch, result);
    return;
  }
  CopyUnderGrammar(received, input.grammar, scratch.masked_row);
  const RowView view{scratch.masked_row, DType::kFloat32, received.row().columns};
  Passes masked(view, scratch.received);
  const RowMax masked_max = masked.LoadMax();
  result->raw_invalid |= masked_max.invalid;
  ReportWhole(masked, masked_max, kLog2EFloat, 1, LogprobMode::kRawMasked, input, scratch, result);
}

// Runs one row. `row` has vocab_size columns; `result` was sized for `input`.
template <class Passes>
void SampleRow(const RowView& row, const RowInput& input, RowScratch& scratch, RowResult* result) {
  const Plan& plan = *input.plan;
  const bool copied = NeedsCopy(input);
  Passes received(row, copied ? scratch.received : scratch.edited);
  if (copied) WriteEditedRow(received, input, scratch.edited_row);
  const RowView edited_view{scratch.edited_row, DType::kFloat32, row.columns};
  Passes edited(copied ? edited_view : row, scratch.edited);
  const RowMax max = edited.LoadMax();
  if (max.invalid) return FailInvalidRow(edited, result);
  if (max.key == kOrderKeyNegInf) return FailRow(Outcome::kEmptySupport, result);
  result->outcome = Outcome::kOk;

  const uint8_t modes = input.logprob_modes;
  if (input.samples > 0 || input.want_support_size || Wants(modes, LogprobMode::kProcessed)) {
    Law<Passes> law(edited, scratch, max.key);
    DrawRow(law, input, scratch, result);
  }
  if (Wants(modes, LogprobMode::kTempered)) {
    ReportWhole(edited, max, plan.greedy ? kLog2EFloat : plan.c, plan.temperature,
                LogprobMode::kTempered, input, scratch, result);
  }
  if (!Wants(modes, LogprobMode::kRaw) && !Wants(modes, LogprobMode::kRawMasked)) return;
  if (!copied) return ReportReceived(edited, max, input, scratch, result);
  const RowMax received_max = received.LoadMax();
  ReportReceived(received, received_max, input, scratch, result);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SAMPLE_ROW_H_

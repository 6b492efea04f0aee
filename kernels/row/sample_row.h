// The row algorithm: masks and edits, narrowing, draws, reports. Every executor runs this.
#ifndef TESSERA_KERNELS_ROW_SAMPLE_ROW_H_
#define TESSERA_KERNELS_ROW_SAMPLE_ROW_H_

#include <cstdint>

#include "kernels/math/philox.h"
#include "kernels/row/draw.h"
#include "kernels/row/narrow.h"
#include "kernels/row/report.h"

namespace tessera {

// A row without tokens: nothing is reported beside the outcome.
template <class Row>
TESSERA_HD void FailRow(Row& row, Outcome outcome) {
  row.ForEach(row.input().samples, [&](uint32_t i) { row.result()->tokens[i] = -1; });
  row.Once([&] {
    row.result()->outcome = outcome;
    for (LogprobReport& report : row.result()->reports) report = {};
  });
}

// A row that holds NaN or +inf: says which id came first.
template <class Row>
TESSERA_HD void FailInvalidRow(Row& row) {
  const TokenId id = row.FirstInvalid();
  FailRow(row, Outcome::kInvalidLogits);
  row.Once([&] {
    row.result()->invalid_id = id;
    row.result()->invalid_logit = row.LogitAt(id);
  });
}

// Narrows and draws; the law that was drawn from.
template <class Row>
TESSERA_HD WeighedLaw DrawRow(Row& row) {
  Law<Row> law(row);
  Narrow(law);
  const Plan& plan = *row.input().plan;
  const float c = plan.greedy ? kLog2EFloat : plan.c;
  if (plan.greedy) {
    const int32_t top = row.max_key();
    law.KeepOnly(row.NthTie(PartBetween(law.support, top, top), 1));
  }
  const bool processed = Wants(row.input().logprob_modes, LogprobMode::kProcessed);
  if (row.input().samples > 0 || processed) WeighLaw(law, c);
  if (row.input().samples > 0) {
    Draw(
        law, c, row.input().samples,
        [&](uint32_t i) {
          return RandomWord(row.input().seed, row.input().position, row.input().stream,
                            Purpose::kDraw, i);
        },
        [&](uint32_t i, TokenId id) { row.result()->tokens[i] = id; });
  }
  if (row.input().want_support_size) {
    const uint32_t size = law.listed ? row.list_size() : row.Count(law.support);
    row.Once([&] { row.result()->support_size = size; });
  }
  return {law.support, law.weight, law.listed, false};
}

// The law of all candidates of the open view.
template <class Row>
TESSERA_HD WeighedLaw WholeLaw(Row& row, bool raw) {
  WeighedLaw law{AllCandidates(), 0, false, raw};
  law.weight = row.Weigh(WeigherOf(row, law), law.support, kNoBound).total;
  return law;
}

TESSERA_HD inline View ViewOf(LogprobMode mode) {
  if (mode == LogprobMode::kRaw) return View::kReceived;
  return mode == LogprobMode::kRawMasked ? View::kMasked : View::kEdited;
}

// Modes of the view that is open first: a device may have to read the row again for another.
TESSERA_HD inline LogprobMode ModeOfStep(int step) {
  static_assert(kLogprobModes == 4);
  return static_cast<LogprobMode>(step < 2 ? 3 - step : step - 2);
}

// Runs one row.
template <class Row>
TESSERA_HD void SampleRow(Row& row) {
  RowMax max = row.Open(View::kEdited);
  if (max.invalid) return FailInvalidRow(row);
  if (max.key == kOrderKeyNegInf) return FailRow(row, Outcome::kEmptySupport);
  row.Once([&] { row.result()->outcome = Outcome::kOk; });

  WeighedLaw law{};
  if (row.input().samples > 0 || row.input().want_support_size ||
      Wants(row.input().logprob_modes, LogprobMode::kProcessed)) {
    law = DrawRow(row);
  }
  TESSERA_NO_UNROLL
  for (int step = 0; step < kLogprobModes; ++step) {
    const LogprobMode mode = ModeOfStep(step);
    if (!Wants(row.input().logprob_modes, mode)) continue;
    if (mode != LogprobMode::kProcessed) {  // which comes first and speaks of the drawn law
      max = row.Open(ViewOf(mode));
      const bool raw = ViewOf(mode) != View::kEdited;
      if (raw) row.Once([&] { row.result()->raw_invalid |= max.invalid; });
      if (max.invalid) {
        FillInvalid(row, mode);
        continue;
      }
      law = WholeLaw(row, raw);
    }
    FillReport(row, law, mode);
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SAMPLE_ROW_H_

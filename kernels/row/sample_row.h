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
TESSERA_HD WeighedLaw DrawRow(Row& row, const RowMax& max) {
  const Plan& plan = *row.input().plan;
  const float c = plan.greedy ? kLog2EFloat : plan.c;
  Law<Row> law(row, max.key);
  Narrow(law, plan, c);
  if (plan.greedy) law.KeepOnly(row.NthTie(PartBetween(law.support, max.key, max.key), 1));
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
  return {law.support, law.y_max, c, plan.temperature, law.weight, law.listed};
}

// The law of all candidates of the open view, weighed at 1 / T = c * ln 2.
template <class Row>
TESSERA_HD WeighedLaw WholeLaw(Row& row, int32_t max_key, float c, double temperature) {
  const float y_max = FromOrderKey(max_key);
  const uint64_t weight = row.Weigh(MakeWeigher(y_max, c), AllCandidates(), kNoBound).total;
  return {AllCandidates(), y_max, c, temperature, weight, false};
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
    law = DrawRow(row, max);
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
      const Plan& plan = *row.input().plan;
      const bool own_scale = raw || plan.greedy;
      law = WholeLaw(row, max.key, own_scale ? kLog2EFloat : plan.c, raw ? 1 : plan.temperature);
    }
    FillReport(row, law, mode);
  }
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SAMPLE_ROW_H_

// Log-probabilities, ranks, top lists and entropy of one law (docs/numerics.md 7).
#ifndef TESSERA_KERNELS_ROW_REPORT_H_
#define TESSERA_KERNELS_ROW_REPORT_H_

#include <cstdint>
#include <limits>

#include "kernels/math/logprob.h"
#include "kernels/math/statistics.h"
#include "kernels/row/law.h"
#include "kernels/row/search.h"
#include "kernels/row_input.h"
#include "kernels/row_result.h"

namespace tessera {

TESSERA_HD inline bool Wants(uint8_t modes, LogprobMode mode) {
  return (modes >> static_cast<int>(mode) & 1) != 0;
}

// A law of the open view with its weight known, whatever found it. What the row knows is not held
// here, too.
struct WeighedLaw {
  Interval support;
  uint64_t weight;
  bool listed;  // the row's list is the support
  bool raw;     // at T = 1, whatever the plan says

  TESSERA_HD bool Has(TokenId id, float y) const {
    return support.Has(MakeTokenKey(OrderKey(y), id));
  }
};

template <class Row>
TESSERA_HD float ScaleOf(const Row& row, const WeighedLaw& law) {
  const Plan& plan = *row.input().plan;
  return law.raw || plan.greedy ? kLog2EFloat : plan.c;
}

template <class Row>
TESSERA_HD Weigher WeigherOf(const Row& row, const WeighedLaw& law) {
  return MakeWeigher(FromOrderKey(row.max_key()), ScaleOf(row, law));
}

template <class Row>
TESSERA_HD float LogprobOf(const Row& row, const WeighedLaw& law, float y) {
  const double temperature = law.raw ? 1 : row.input().plan->temperature;
  return Logprob(y, FromOrderKey(row.max_key()), temperature, law.weight);
}

// The ids that a row's report scores: what was drawn, then what was asked for.
template <class Row>
struct ScoredIds {
  Row& row;
  int mode;

  TESSERA_HD uint32_t size() const {
    return row.input().samples + static_cast<uint32_t>(row.input().score_ids.size());
  }
  TESSERA_HD TokenId Id(uint32_t i) const {
    const RowInput& input = row.input();
    return i < input.samples ? row.result()->tokens[i] : input.score_ids[i - input.samples];
  }
  TESSERA_HD TokenScore& Score(uint32_t i) const {
    const LogprobReport& report = row.result()->reports[mode];
    const uint32_t samples = row.input().samples;
    return i < samples ? report.sampled[i] : report.scored[i - samples];
  }
};

// A rank is 1 + the number of ids in the support with a strictly larger logit.
template <class Row>
TESSERA_HD void FillScores(Row& row, const WeighedLaw& law, const ScoredIds<Row>& ids) {
  const uint32_t n = ids.size();
  if (n == 0) return;
  row.ForEach(n, [&](uint32_t i) {
    const TokenId id = ids.Id(i);
    const float y = row.LogitAt(id);
    TokenScore score{-std::numeric_limits<float>::infinity(), 0};
    if (law.Has(id, y)) {
      score.logprob = LogprobOf(row, law, y);
      score.rank = law.listed ? 1 + row.ListCountAbove(FloorKey(OrderKey(y) + 1)) : 1;
    }
    ids.Score(i) = score;
  });
  if (law.listed) return;
  row.CountLarger(
      n, law.support, [&](uint32_t i) { return ids.Id(i); },
      [&](uint32_t i, uint32_t count) {
        TokenScore& score = ids.Score(i);
        if (score.rank != 0) score.rank += count;
      });
}

// Lists the first n of a support, and perhaps more.
template <class Row>
TESSERA_HD void ListTop(Row& row, const WeighedLaw& law, uint32_t n) {
  Interval part = law.support;
  const TokenKey floor = FloorKey(row.CountFloor(n, ScaleOf(row, law)));
  if (floor > part.lo) part.lo = floor;
  uint32_t size = row.Collect(part);
  if (size < n && part.lo > law.support.lo) {
    part = law.support;
    size = row.Collect(part);
  }
  if (size <= row.list_capacity()) return;
  part.lo = NthKey(row, part, WeigherOf(row, law), n);
  row.Collect(part);
}

template <class Row>
TESSERA_HD void FillTop(Row& row, const WeighedLaw& law, int mode) {
  const uint32_t n = row.input().top_logprobs;
  if (n == 0) return;
  if (!law.listed) ListTop(row, law, n);
  const uint32_t found = row.TopOfList(n, [&](uint32_t rank, TokenKey key) {
    row.result()->reports[mode].top[rank] = {IdOf(key),
                                             LogprobOf(row, law, FromOrderKey(OrderKeyOf(key)))};
  });
  if (found >= n) return;
  row.OnceAfterAll([&] {
    LogprobReport& report = row.result()->reports[mode];
    report.top = report.top.first(found);
  });
}

// Fills a report, whose spans say how much is wanted. What is listed stays listed; a law that is
// not loses the row's list.
template <class Row>
TESSERA_HD void FillReport(Row& row, const WeighedLaw& law, LogprobMode mode) {
  FillScores(row, law, {row, static_cast<int>(mode)});
  FillTop(row, law, static_cast<int>(mode));
  if (!Wants(row.input().entropy_modes, mode)) return;
  const EntropySums sums = row.Entropy(WeigherOf(row, law), law.support);
  row.Once([&] {
    const double entropy = EntropyNats(sums.weight, sums.energy);
    row.result()->reports[static_cast<int>(mode)].entropy = static_cast<float>(entropy);
  });
}

// What a report says of a law that NaN or +inf spoils.
template <class Row>
TESSERA_HD void FillInvalid(Row& row, LogprobMode mode) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const ScoredIds<Row> ids{row, static_cast<int>(mode)};
  row.ForEach(ids.size(), [&](uint32_t i) { ids.Score(i) = {nan, 0}; });
  row.Once([&] {
    LogprobReport& report = row.result()->reports[static_cast<int>(mode)];
    report.top = report.top.first(0);
    if (Wants(row.input().entropy_modes, mode)) report.entropy = nan;
  });
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_REPORT_H_

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
  bool listed;       // the row's list is the support
  LogprobMode mode;  // says at which temperature
  uint64_t missing;  // of the last key's own weight, which `weight` is without

  TESSERA_HD bool Has(TokenId id, float y) const {
    return support.Has(MakeTokenKey(OrderKey(y), id));
  }
};

TESSERA_HD inline bool IsRaw(LogprobMode mode) {
  return mode == LogprobMode::kRaw || mode == LogprobMode::kRawMasked;
}

template <class Row>
TESSERA_HD float ScaleOf(const Row& row, const WeighedLaw& law) {
  const Plan& plan = *row.input().plan;
  if (IsRaw(law.mode) || plan.greedy) return kLog2EFloat;
  return law.mode == LogprobMode::kTempered ? plan.tempered_c : plan.c;
}

template <class Row>
TESSERA_HD Weigher WeigherOf(const Row& row, const WeighedLaw& law) {
  return MakeWeigher(FromOrderKey(row.max_key()), ScaleOf(row, law));
}

// What is left of the weight of the law's last key.
template <class Row>
TESSERA_HD uint64_t PartOfLast(const Row& row, const WeighedLaw& law) {
  const float y = FromOrderKey(OrderKeyOf(law.support.lo));
  return WeightOf(WeigherOf(row, law), y) - law.missing;
}

template <class Row>
TESSERA_HD float LogprobOf(const Row& row, const WeighedLaw& law, TokenKey key) {
  const Plan& plan = *row.input().plan;
  if (law.missing != 0 && key == law.support.lo) {
    return static_cast<float>(
        Log(static_cast<double>(PartOfLast(row, law)) / static_cast<double>(law.weight)));
  }
  const double temperature = IsRaw(law.mode)                      ? 1
                             : law.mode == LogprobMode::kTempered ? plan.tempered
                                                                  : plan.temperature;
  return Logprob(FromOrderKey(OrderKeyOf(key)), FromOrderKey(row.max_key()), temperature,
                 law.weight);
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

// A rank is 1 + the number of ids in the support with a strictly larger logit; or, with ties
// against it, the number with a logit at least as large. Either way it is 1 - tied + the number of
// ids above the logit's order key less `tied`.
template <class Row>
TESSERA_HD void FillScores(Row& row, const WeighedLaw& law, const ScoredIds<Row>& ids) {
  const uint32_t n = ids.size();
  if (n == 0) return;
  const int32_t tied = row.input().ties_against ? 1 : 0;
  row.ForEach(n, [&](uint32_t i) {
    const TokenId id = ids.Id(i);
    const float y = row.LogitAt(id);
    TokenScore score{-std::numeric_limits<float>::infinity(), 0};
    if (law.Has(id, y)) {
      score.logprob = LogprobOf(row, law, MakeTokenKey(OrderKey(y), id));
      score.rank = 1;
      if (law.listed) score.rank += row.ListCountAbove(FloorKey(OrderKey(y) + 1 - tied)) - tied;
    }
    ids.Score(i) = score;
  });
  if (law.listed) return;
  row.CountLarger(
      n, law.support, [&](uint32_t i) { return OrderKey(row.LogitAt(ids.Id(i))) - tied; },
      [&](uint32_t i, uint32_t count) {
        TokenScore& score = ids.Score(i);
        if (score.rank != 0) score.rank += count - tied;
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
    row.result()->reports[mode].top[rank] = {IdOf(key), LogprobOf(row, law, key)};
  });
  if (found >= n) return;
  row.OnceAfterAll([&] {
    LogprobReport& report = row.result()->reports[mode];
    report.top = report.top.first(found);
  });
}

// The entropy in nats of a law, from the sums of its support.
template <class Row>
TESSERA_HD double EntropyOf(const Row& row, const WeighedLaw& law, const EntropySums& sums) {
  if (law.missing == 0) return EntropyNats(sums.weight, sums.energy);
  // H * W / ln 2 = sum of w * (log2 W - log2 w), where the last w is not a power of its distance.
  const Weigher weigher = WeigherOf(row, law);
  const float y = FromOrderKey(OrderKeyOf(law.support.lo));
  const uint64_t own = EntropyTerm(WeightOf(weigher, y), DistanceOf(weigher, y));
  const auto weight = static_cast<double>(law.weight);
  const auto part = static_cast<double>(PartOfLast(row, law));
  const double energy = static_cast<double>(sums.energy - own) + part * (44.0 - Log2(part));
  return kLn2 * (Log2(weight) - 44.0 + energy / weight);
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
    const double entropy = EntropyOf(row, law, sums);
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

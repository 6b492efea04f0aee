// Log-probabilities, ranks, top lists and entropy of one law (docs/numerics.md 7).
#ifndef TESSERA_KERNELS_ROW_REPORT_H_
#define TESSERA_KERNELS_ROW_REPORT_H_

#include <cstdint>
#include <limits>

#include "kernels/backend.h"
#include "kernels/math/logprob.h"
#include "kernels/math/statistics.h"
#include "kernels/row/chunk_passes.h"
#include "kernels/row/law.h"
#include "kernels/row/ranked.h"

namespace tessera {

// A law with its weight known, whatever found it.
template <class Passes>
struct WeighedLaw {
  Passes& passes;
  Interval support;
  float y_max;
  float c;
  double temperature;
  uint64_t weight;
  const KeyList* list = nullptr;  // the support's keys, when listed

  bool Has(TokenId id) const {
    return support.Has(MakeTokenKey(OrderKey(LogitAt(passes.row(), id)), id));
  }

  float LogprobOf(TokenId id) const {
    return Logprob(LogitAt(passes.row(), id), y_max, temperature, weight);
  }

  // 1 + the number of ids in the support with a strictly larger logit.
  uint32_t RankOf(TokenId id) const {
    const Interval larger{FloorKey(OrderKey(LogitAt(passes.row(), id)) + 1), support.hi};
    if (list == nullptr) return 1 + passes.Count(larger);
    uint32_t rank = 1;
    for (uint32_t i = 0; i < list->size; ++i) rank += larger.Has(list->keys[i]) ? 1 : 0;
    return rank;
  }

  TokenScore Score(TokenId id) const {
    if (!Has(id)) return {-std::numeric_limits<float>::infinity(), 0};
    return {LogprobOf(id), RankOf(id)};
  }
};

// All candidates of a row, weighed at 1 / T = c * ln 2.
template <class Passes>
WeighedLaw<Passes> WholeLaw(Passes& passes, int32_t max_key, float c, double temperature,
                            RowScratch& scratch) {
  const float y_max = FromOrderKey(max_key);
  const WeighTotals totals =
      passes.Weigh(MakeWeigher(y_max, c), AllCandidates(), kNoBound, scratch.chunk_sums);
  return {passes, AllCandidates(), y_max, c, temperature, totals.total};
}

// Fills `report`, whose spans say how much is wanted. Overwrites the scratch's work arrays and,
// for a law that is not listed, its candidates.
template <class Passes>
void FillReport(const WeighedLaw<Passes>& law, const RowInput& input, LogprobMode mode,
                absl::Span<const TokenId> tokens, RowScratch& scratch, LogprobReport* report) {
  for (size_t i = 0; i < tokens.size(); ++i) report->sampled[i] = law.Score(tokens[i]);
  for (size_t i = 0; i < input.score_ids.size(); ++i) {
    report->scored[i] = law.Score(input.score_ids[i]);
  }
  const KeyList work{scratch.work, nullptr, 0};
  const KeyList collected{scratch.candidates, nullptr, 0};
  const uint32_t n = static_cast<uint32_t>(report->top.size());
  const uint32_t found = n == 0 ? 0
                         : law.list != nullptr
                             ? RankList(law.passes, *law.list, n, work)
                             : Ranked(law.passes, law.support, n, collected, work);
  for (uint32_t i = 0; i < found; ++i) {
    const TokenId id = IdOf(work.keys[i]);
    report->top[i] = {id, law.LogprobOf(id)};
  }
  report->top = report->top.first(found);
  if ((input.entropy_modes >> static_cast<int>(mode) & 1) != 0) {
    const EntropySums sums = Entropy(law.passes, MakeWeigher(law.y_max, law.c), law.support);
    report->entropy = static_cast<float>(EntropyNats(sums.weight, sums.energy));
  }
}

// What a report says of a law that NaN or +inf spoils.
inline void FillInvalid(const RowInput& input, LogprobMode mode, LogprobReport* report) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (TokenScore& score : report->sampled) score = {nan, 0};
  for (TokenScore& score : report->scored) score = {nan, 0};
  report->top = report->top.first(0);
  if ((input.entropy_modes >> static_cast<int>(mode) & 1) != 0) report->entropy = nan;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_REPORT_H_

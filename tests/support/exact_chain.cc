#include "tests/support/exact_chain.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "kernels/math/log.h"
#include "tests/support/exact_arithmetic.h"
#include "tests/support/exact_rewrites.h"
#include "tests/support/exact_statistics.h"
#include "tests/support/exact_weights.h"

namespace tessera::oracle {
namespace {

constexpr uint64_t kOne = uint64_t{1} << 44;  // the largest logit's weight

// Applies stage after stage to `now`.
struct Walk {
  const RowInput& row;
  std::vector<TokenId> all;  // the edited row's candidates
  Step now;
  ChainSteps* out;
  bool partial = false;  // a partial weight is drawn in the order, whatever the rule

  float y(size_t place) const { return now.y[now.kept[place]]; }
  bool TiedWithNext(size_t place) const {
    return place + 1 < now.kept.size() && y(place) == y(place + 1);
  }
  void Keep(size_t size) { now.kept.resize(std::min(size, now.kept.size())); }

  // The number of keys up to the last one tied with `place`, itself included.
  size_t EndOfTies(size_t place, Ties ties) const {
    while (ties == Ties::kWhole && TiedWithNext(place)) ++place;
    return place + 1;
  }

  // Keeps what weighs at least `threshold`, and what weighs most.
  void KeepWeights(uint64_t threshold) {
    const std::vector<uint64_t> weights = WeightsOf(now);
    size_t kept = 0;
    while (kept < weights.size() && weights[kept] >= std::min(threshold, kOne)) ++kept;
    Keep(kept);
  }

  // Removes all but the last of the first `count`.
  void RemoveTop(size_t count) {
    if (count < 2) return;
    now.kept.erase(now.kept.begin(), now.kept.begin() + static_cast<ptrdiff_t>(count - 1));
  }

  void operator()(const Temperature& stage) {
    if (stage.t == 0) return (*this)(Greedy{});
    now.temperature *= stage.t;
    out->tempered *= stage.t;
  }
  void operator()(const Greedy&) {
    now.greedy = true;
    now.partial = 0;
    now.temperature = out->tempered = 1;
    Keep(1);
  }
  void operator()(const DrawRule& stage) {
    const bool off = stage.order == DrawOrder::kId && stage.generator == Generator::kPhilox;
    if (!off) out->sorted_draw = stage.order == DrawOrder::kSorted;
  }

  void operator()(const TopK& stage) {
    const size_t k = std::min<size_t>(stage.k, now.kept.size());
    Keep(EndOfTies(k - 1, stage.ties));
  }

  void operator()(const TopP& stage) {
    const std::vector<uint64_t> weights = WeightsOf(now);
    Step whole{all, now.y, now.temperature};
    const uint64_t mass = stage.joint ? SumOf(WeightsOf(whole)) : SumOf(weights);
    const uint64_t limit = FloorShare(stage.p, mass);
    const uint64_t least =
        stage.boundary == Boundary::kReach ? CeilShare(stage.p, mass) : limit + 1;
    size_t kept = 0;
    uint64_t reached = 0;
    while (kept < weights.size()) {
      const size_t end = EndOfTies(kept, stage.ties);
      const uint64_t more = (end - kept) * weights[kept];
      const bool full =
          stage.boundary == Boundary::kWithin ? reached + more > limit : reached >= least;
      if (kept > 0 && full) break;
      reached += more;
      kept = end;
    }
    Keep(kept);
    if (!stage.partial) return;
    partial = true;
    if (reached < least) return;
    const uint64_t wanted = std::max<uint64_t>(least, 1);
    now.partial = wanted - (reached - weights[kept - 1]);
  }

  void operator()(const MinP& stage) { KeepWeights(CeilShare(stage.m, kOne)); }
  void KeepShare(double share) {
    KeepWeights(CeilShare(std::min(share, 1.0), SumOf(WeightsOf(now))));
  }
  void operator()(const EpsilonCutoff& stage) { KeepShare(stage.epsilon); }
  void operator()(const TopA& stage) {
    const double top = 0x1p44 / static_cast<double>(SumOf(WeightsOf(now)));
    KeepShare(stage.a * (top * top));
  }
  void operator()(const EtaCutoff& stage) {
    const std::vector<uint64_t> weights = WeightsOf(now);
    const double entropy = EntropyOf(SumOf(weights), EntropySum(weights, DistancesOf(now)));
    KeepShare(std::min(stage.epsilon, std::sqrt(stage.epsilon) * Exp(-entropy)));
  }
  void operator()(const MirostatV2& stage) {
    constexpr double kNaturalLogOf2 = 0.69314718055994530942;
    KeepShare(Exp(-MirostatStart(row, stage.tau) * kNaturalLogOf2));
  }

  void operator()(const TypicalP& stage) {
    const std::vector<uint64_t> weights = WeightsOf(now);
    const uint64_t total = SumOf(weights);
    const uint64_t target = stage.boundary == Boundary::kReach
                                ? std::max<uint64_t>(CeilShare(stage.p, total), 1)
                                : FloorShare(stage.p, total) + 1;
    const std::vector<bool> stays = TypicalPlaces(weights, DistancesOf(now), target);
    std::vector<TokenId> kept;
    for (size_t i = 0; i < stays.size(); ++i) {
      if (stays[i]) kept.push_back(now.kept[i]);
    }
    now.kept = std::move(kept);
  }

  std::vector<float> Logits() const {
    std::vector<float> logits;
    for (TokenId id : now.kept) logits.push_back(now.y[id]);
    return logits;
  }
  void operator()(const TopNSigma& stage) { Keep(WithinDeviations(Logits(), stage.n)); }
  void operator()(const TailFree& stage) { Keep(TailFreeCount(WeightsOf(now), stage.z)); }
  void operator()(const MirostatV1& stage) {
    Keep(MirostatKept(Logits(), InverseTemperature(now.temperature), MirostatStart(row, stage.tau),
                      now.y.size()));
  }

  void operator()(const Xtc& stage) {
    if (!XtcHappens(row, stage.probability)) return;
    const std::vector<uint64_t> weights = WeightsOf(now);
    const uint64_t threshold = CeilShare(stage.threshold, SumOf(weights));
    size_t choices = 0;
    while (choices < weights.size() && weights[choices] >= threshold) ++choices;
    RemoveTop(choices);
  }

  void operator()(const DynamicTemperature& stage) {
    Rewrite(stage, &now);
    SortKept(&now);
  }
  void operator()(const Smoothing& stage) {
    Rewrite(stage, &now);
    SortKept(&now);
  }
  void operator()(const AdaptiveP& stage) {
    Rewrite(stage, row, &now);
    SortKept(&now);
    now.temperature = 1;
  }

  template <class S>
  void operator()(const S&) {}  // an edit
};

}  // namespace

ChainSteps ExactSteps(const EditedRow& edited, const Chain& chain, const RowInput& row) {
  ChainSteps steps;
  Walk walk{row, edited.order, {edited.order, edited.y}, &steps, false};
  steps.steps.push_back(walk.now);
  for (size_t i = 0; i < chain.stages.size(); ++i) {
    const Stage& stage = chain.stages[i];
    const bool draws = std::holds_alternative<DrawRule>(stage);
    if (draws || !(IsNeutral(stage) || IsScaledEarly(chain, i) || walk.now.greedy)) {
      std::visit(walk, stage);
    }
    steps.steps.push_back(walk.now);
  }
  steps.sorted_draw |= walk.partial;
  return steps;
}

}  // namespace tessera::oracle

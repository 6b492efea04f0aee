#include "tests/support/real_cuts.h"

#include <algorithm>
#include <cmath>

#include "tests/support/exact_arithmetic.h"
#include "tests/support/real_law.h"
#include "tests/support/real_statistics.h"

namespace tessera::oracle {
namespace {

using Reals = std::vector<long double>;

struct Judge {
  const Step& before;
  const EditedRow& edited;
  const RowInput& row;

  size_t size() const { return before.kept.size(); }
  long double y(size_t place) const { return before.y[before.kept[place]]; }
  Reals ratios() const { return Ratios(before.y, before.kept, before.temperature); }

  // Tokens at least `threshold` as likely as the likeliest, itself included.
  Bounds AtLeast(long double threshold, long double tolerance) const {
    const long double up = std::min(threshold * (1 + tolerance) + kQuantum, 1.0L);
    // What weighs less than half a quantum weighs nothing, and any threshold drops it.
    const long double down = std::max(std::min(threshold, 1.0L) * (1 - tolerance) - kQuantum,
                                      threshold > 0 ? 0.49L * kQuantum : 0);
    const Reals all = ratios();
    const auto count = [&](long double least) {
      return std::count_if(all.begin(), all.end(), [&](long double r) { return r >= least; });
    };
    return Prefix(size(), count(up), count(down));
  }
  Bounds ShareAtLeast(long double share, long double tolerance) const {
    return AtLeast(share * Sum(ratios()), tolerance);
  }
  long double RealEntropyHere() const {
    return RealEntropy(RealLogprobs(before.y, before.kept, before.temperature));
  }

  std::optional<Bounds> operator()(const TopK& stage) const {
    size_t kept = std::min<size_t>(stage.k, size());
    while (stage.ties == Ties::kWhole && kept < size() && y(kept) == y(kept - 1)) ++kept;
    return Prefix(size(), kept, kept);
  }

  // How many tokens a top-p keeps of a mass.
  size_t MassCount(const TopP& stage, const Reals& all, long double mass) const {
    size_t kept = 0;
    long double reached = 0;
    while (kept < all.size()) {
      size_t end = kept + 1;
      while (stage.ties == Ties::kWhole && end < all.size() && y(end) == y(kept)) ++end;
      const long double next = reached + static_cast<long double>(end - kept) * all[kept];
      if (kept > 0 && (stage.boundary == Boundary::kWithin ? next > mass : reached >= mass)) break;
      reached = next;
      kept = end;
    }
    return kept;
  }
  std::optional<Bounds> operator()(const TopP& stage) const {
    const Reals all = ratios();
    const long double whole =
        stage.joint ? Sum(Ratios(edited.y, edited.order, before.temperature)) : Sum(all);
    const long double slack =
        kQuantum * static_cast<long double>(stage.joint ? edited.order.size() : size());
    const long double mass = stage.p * whole;
    return Prefix(size(), MassCount(stage, all, mass * (1 - kBoundaryTolerance) - slack),
                  MassCount(stage, all, mass * (1 + kBoundaryTolerance) + slack));
  }
  std::optional<Bounds> operator()(const MinP& stage) const {
    return AtLeast(stage.m, kBoundaryTolerance);
  }
  std::optional<Bounds> operator()(const EpsilonCutoff& stage) const {
    return ShareAtLeast(stage.epsilon, 2 * kBoundaryTolerance);
  }
  std::optional<Bounds> operator()(const TopA& stage) const {
    const long double likeliest = 1 / Sum(ratios());
    return ShareAtLeast(stage.a * likeliest * likeliest, 2 * kBoundaryTolerance);
  }
  std::optional<Bounds> operator()(const EtaCutoff& stage) const {
    const long double epsilon = stage.epsilon;
    const long double spread = std::sqrt(epsilon) * std::exp(-RealEntropyHere());
    return ShareAtLeast(std::min(epsilon, spread), 2 * kBoundaryTolerance + kEntropyTolerance);
  }
  std::optional<Bounds> operator()(const MirostatV2& stage) const {
    const long double mu = MirostatStart(row, stage.tau);
    return ShareAtLeast(std::exp2(-mu), 2 * kBoundaryTolerance);
  }

  std::optional<Bounds> operator()(const TypicalP& stage) const {
    return StatisticBounds(stage, before);
  }
  std::optional<Bounds> operator()(const TopNSigma& stage) const {
    return StatisticBounds(stage, before);
  }
  std::optional<Bounds> operator()(const TailFree& stage) const {
    return StatisticBounds(stage, before);
  }
  std::optional<Bounds> operator()(const MirostatV1& stage) const {
    return StatisticBounds(stage, before, row);
  }

  std::optional<Bounds> operator()(const Xtc& stage) const {
    const uint64_t word = XtcWord(row.seed, row.position, row.stream);
    const bool happens = static_cast<long double>(word) * 0x1p-64L < stage.probability;
    if (!happens) return Prefix(size(), size(), size());
    const long double threshold = stage.threshold * Sum(ratios());
    size_t least = 0, most = 0;  // that reach the threshold
    for (long double r : ratios()) {
      least += r >= threshold * (1 + 2 * kBoundaryTolerance) + kQuantum ? 1 : 0;
      most += r >= threshold * (1 - 2 * kBoundaryTolerance) - kQuantum ? 1 : 0;
    }
    Bounds bounds;
    for (size_t i = 0; i < size(); ++i) {
      bounds.must.push_back(i + 1 >= most);
      bounds.may.push_back(i + 1 >= least);
    }
    return bounds;
  }

  template <class S>
  std::optional<Bounds> operator()(const S&) const {
    return std::nullopt;
  }
};

}  // namespace

// A prefix of at least `smallest` and at most `largest` tokens.
Bounds Prefix(size_t size, size_t smallest, size_t largest) {
  Bounds bounds{std::vector<bool>(size), std::vector<bool>(size), 0};
  for (size_t i = 0; i < size; ++i) {
    bounds.must[i] = i < smallest;
    bounds.may[i] = i < largest;
  }
  return bounds;
}

std::optional<Bounds> BoundsOf(const Stage& stage, const Step& before, const EditedRow& edited,
                               const RowInput& row) {
  return std::visit(Judge{before, edited, row}, stage);
}

RealPartial PartialOf(const TopP& stage, const Step& before, const EditedRow& edited, size_t size) {
  const Reals ratios = Ratios(before.y, before.kept, before.temperature);
  const long double whole =
      stage.joint ? Sum(Ratios(edited.y, edited.order, before.temperature)) : Sum(ratios);
  const long double mass = stage.p * whole;
  const long double above = Sum(absl::MakeConstSpan(ratios).first(size - 1));
  return {
      std::min(mass - above, ratios[size - 1]),
      2 * mass * kBoundaryTolerance + 2 * kQuantum * static_cast<long double>(edited.order.size())};
}

}  // namespace tessera::oracle

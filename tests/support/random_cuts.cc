#include "tests/support/random_cuts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::testing {
namespace {

Ties RandomTies(Random& random) { return random.OneIn(4) ? Ties::kWhole : Ties::kSplit; }

Boundary RandomBoundary(Random& random) {
  return random.Pick({Boundary::kReach, Boundary::kReach, Boundary::kExceed, Boundary::kWithin});
}

// 2^-x, x below `octaves`: often small.
double SmallShare(Random& random, double octaves) {
  const double x = random.Between(0, octaves);
  return std::exp2(random.OneIn(2) ? -std::floor(x) : -x);
}

double RandomShare(Random& random) {
  constexpr double kExact[] = {0.0, 1.0, 0.25, 0.375, 0.5, 0x1p-60, 1 - 0x1p-53, 1e-300, 0.9, 0.95};
  return random.OneIn(2) ? random.Pick(kExact) : random.Unit();
}

template <class S>
bool Has(const Chain& chain) {
  return std::any_of(chain.stages.begin(), chain.stages.end(),
                     [](const Stage& stage) { return std::holds_alternative<S>(stage); });
}

// Adaptive-p may not follow.
bool HasNewLogits(const Chain& chain) {
  return Has<DynamicTemperature>(chain) || Has<Smoothing>(chain);
}

Stage RandomTopK(Random& random, int64_t vocab_size) {
  const Ties ties = RandomTies(random);
  if (random.OneIn(3)) return TopK{static_cast<int32_t>(random.Below(vocab_size + 5)), ties};
  return TopK{random.Pick({0, 1, 2, 5, 20, 50, 100, std::numeric_limits<int32_t>::max()}), ties};
}

Stage RandomTopP(Random& random, bool may_be_joint) {
  return TopP{.p = RandomShare(random),
              .joint = may_be_joint && random.OneIn(4),
              .boundary = RandomBoundary(random),
              .ties = RandomTies(random)};
}

Stage RandomMinP(Random& random) {
  constexpr double kExact[] = {0.0, 1.0, 0.5, 0.05, 0.25, 0x1p-44, 1e-300, 0.01};
  return MinP{random.OneIn(2) ? random.Pick(kExact)
                              : std::exp2(-std::floor(random.Between(0, 50)))};
}

Stage RandomDynamicTemperature(Random& random) {
  const double low = random.OneIn(4) ? random.Pick({0.0, 1.0, 0x1p-20}) : random.Between(0, 2);
  const double high = low + (random.OneIn(8) ? 0 : random.Pick({0.5, 1.0, 3.0, 1e5}));
  return DynamicTemperature{low, high, random.Pick({1.0, 1.0, 2.0, 0.5, 0.01, 64.0})};
}

Stage RandomSmoothing(Random& random) {
  return Smoothing{
      random.OneIn(4) ? random.Pick({1e-38, 1e-3, 10.0, 0x1p20, 1e-46}) : random.Between(0, 1),
      random.Pick({1.0, 1.0, 2.0, 3.0, 1.5, 2.9})};
}

Stage RandomXtc(Random& random) {
  return Xtc{
      random.Pick({0.5, 0.5, 1.0, 0.0, 0x1p-53}),
      random.OneIn(2) ? random.Pick({0.1, 0.05, 0.25, 0.5, 0.3, 1e-300}) : SmallShare(random, 20)};
}

Stage RandomTailFree(Random& random) {
  return TailFree{random.OneIn(2) ? random.Pick({0.0, 1.0, 0.5, 0.9, 0.95, 1 - 0x1p-53})
                                  : random.Unit()};
}

Stage RandomShareCut(Random& random) {
  switch (random.Below(4)) {
    case 0:
      return TopA{random.OneIn(2) ? random.Pick({0.2, 0.5, 1.0, 0.0, 1e-3})
                                  : SmallShare(random, 40)};
    case 1:
      return EpsilonCutoff{random.OneIn(2) ? random.Pick({3e-4, 0.25, 0.1, 0.0, 1 - 0x1p-53})
                                           : SmallShare(random, 60) / 2};
    case 2:
      return EtaCutoff{random.OneIn(2) ? random.Pick({3e-4, 0.25, 0.1, 0.0, 1e-300})
                                       : SmallShare(random, 30) / 2};
    default:
      return TopNSigma{random.OneIn(3) ? random.Pick({1.0, 0.0, 1e-9, 3e7, 0x1p-1000})
                                       : random.Between(0.1, 4)};
  }
}

}  // namespace

bool HasRewritten(const Chain& chain) {
  return HasNewLogits(chain) || Has<TypicalP>(chain) || Has<Xtc>(chain);
}

void AddRandomCut(Random& random, int64_t vocab_size, Chain* chain) {
  const auto add = [&](Stage stage) { chain->stages.push_back(stage); };
  switch (random.Below(12)) {
    case 0:
    case 1:
      return add(RandomTopK(random, vocab_size));
    case 2:
    case 3:
      return add(RandomTopP(random, !HasRewritten(*chain)));
    case 4:
      return add(RandomMinP(random));
    case 5:
    case 6:
      return add(RandomShareCut(random));
    case 7:
      return add(
          TypicalP{RandomShare(random), random.OneIn(3) ? Boundary::kExceed : Boundary::kReach});
    case 8:  // works on sorted tokens
      // The most is rare: tail-free takes the keys of its list one by one.
      add(TopK{random.OneIn(16) ? static_cast<int32_t>(kMaxTailFree)
                                : random.Pick({1, 2, 3, 10, 40, 100})});
      return add(RandomTailFree(random));
    case 9:
      return add(RandomXtc(random));
    case 10:
      return add(RandomDynamicTemperature(random));
    default:
      return add(RandomSmoothing(random));
  }
}

void AddRandomLastCut(Random& random, Chain* chain) {
  const double tau = random.OneIn(4) ? random.Pick({0.01, 64.0}) : random.Between(0.5, 8);
  const double eta = random.Pick({0.1, 1.0, 0.0});
  const auto add = [&](Stage stage) { chain->stages.push_back(stage); };
  switch (random.Below(HasNewLogits(*chain) ? 3 : 4)) {
    case 0:
      return add(MirostatV1{tau, eta});
    case 1:
      return add(MirostatV2{tau, eta});
    case 2:
      return add(TopP{.p = RandomShare(random),
                      .joint = !HasRewritten(*chain) && random.OneIn(4),
                      .partial = true});
    default:
      return add(AdaptiveP{random.OneIn(3) ? random.Pick({0.0, 1.0}) : random.Unit(),
                           random.Pick({0.9, 0.9, 0.0, 0.99})});
  }
}

bool HasState(const Stage& stage) {
  return std::holds_alternative<MirostatV1>(stage) || std::holds_alternative<MirostatV2>(stage) ||
         std::holds_alternative<AdaptiveP>(stage);
}

}  // namespace tessera::testing

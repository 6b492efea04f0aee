#include "tests/support/random_chain.h"

#include <algorithm>
#include <cmath>

#include "tests/support/random_cuts.h"

namespace tessera::testing {
namespace {

PenaltyScope RandomScope(Random& random) {
  return random.Pick(
      {PenaltyScope::kPromptAndOutput, PenaltyScope::kOutput, PenaltyScope::kPrompt});
}

double RandomTemperature(Random& random) {
  switch (random.Below(6)) {
    case 0:
      return random.Pick({0.1, 0.5, 0.7, 1.5, 2.0, 3.0});
    case 1:
      return random.Pick({0x1p-12, 1e-3, 100.0, 0x1p12, 1.0});
    default:
      return random.Between(0.2, 2.5);
  }
}

Stage RandomEdit(Random& random) {
  switch (random.Below(4)) {
    case 0:
      return LogitBias{};
    case 1:
      return RepetitionPenalty{random.Pick({1.1, 1.3, 0.8, 2.0, 1e-3, 1.0}), RandomScope(random)};
    case 2:
      return FrequencyPenalty{random.Pick({0.5, -0.5, 0.1, 2.0, 1e30, 0.0}), RandomScope(random)};
    default:
      return PresencePenalty{random.Pick({0.5, -1.5, 0.1, 2.0, 1e38, 0.0}), RandomScope(random)};
  }
}

}  // namespace

Chain RandomChain(Random& random, int64_t vocab_size) {
  Chain chain;
  const auto maybe_temperature = [&](int64_t one_in) {
    if (random.OneIn(one_in)) chain.stages.push_back(Temperature{RandomTemperature(random)});
  };
  if (random.OneIn(6)) chain.stages.push_back(DrawRule{DrawOrder::kSorted, Generator::kPhilox});
  bool biased = false;
  for (int64_t edits = std::max<int64_t>(0, random.Below(6) - 2); edits > 0; --edits) {
    maybe_temperature(8);
    const Stage edit = RandomEdit(random);
    if (std::holds_alternative<LogitBias>(edit)) {
      if (biased) continue;  // a chain may hold it once
      biased = true;
    }
    chain.stages.push_back(edit);
  }
  for (int64_t cuts = random.Below(5); cuts > 0; --cuts) {
    maybe_temperature(3);
    AddRandomCut(random, vocab_size, &chain);
  }
  maybe_temperature(2);
  if (random.OneIn(16)) {
    chain.stages.push_back(random.OneIn(2) ? Stage{Greedy{}} : Stage{Temperature{0}});
  } else if (random.OneIn(5)) {
    AddRandomLastCut(random, &chain);
  }
  return chain;
}

}  // namespace tessera::testing

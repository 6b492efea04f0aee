#include "tests/support/hard_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/random_cuts.h"

namespace tessera::testing {
namespace {

// A few values, each held by very many ids, and some ids of their own.
void Plateaus(Random& random, std::vector<float>* logits) {
  float values[5];
  const double spread = random.Pick({0.01, 0.5, 4.0, 60.0});
  for (float& value : values) value = static_cast<float>(spread * random.Normal());
  const int64_t own = random.Pick({2, 10, 100, 100000});  // one in so many is no plateau's
  const int64_t plateaus = 1 + random.Below(5);
  for (float& y : *logits) {
    y = random.OneIn(own) ? static_cast<float>(spread * random.Normal())
                          : values[random.Below(plateaus)];
  }
}

// Floats of 256 neighbouring order keys: bisection goes to its end.
void Neighbours(Random& random, std::vector<float>* logits) {
  const auto base = static_cast<float>(3 * random.Normal());
  for (float& y : *logits) {
    y = base;
    for (int64_t step = random.Below(random.OneIn(2) ? 4 : 256); step > 0; --step) {
      y = std::nextafter(y, 1e9f);
    }
  }
}

std::vector<float> HardLogits(Random& random, int64_t width, DType dtype) {
  const int64_t kind = random.Below(6);
  if (kind < 2) return RandomLogits(random, random.Pick(kAllShapes), width, dtype);
  std::vector<float> logits(width);
  if (kind < 4) {
    Plateaus(random, &logits);
  } else if (kind == 4) {
    Neighbours(random, &logits);
  } else {
    const double spread = random.Pick({1e-4, 0.05, 1.0, 20.0});
    for (float& y : logits) y = static_cast<float>(spread * random.Normal());
  }
  for (float& y : logits) {
    y = Rounded(y, dtype);
    if (random.OneIn(50)) y = -std::numeric_limits<float>::infinity();
  }
  logits[random.Below(width)] = 0;
  return logits;
}

Stage WideCut(Random& random, int64_t width, bool may_be_joint) {
  switch (random.Below(5)) {
    case 0:
    case 1:
      return TopK{random.OneIn(2) ? static_cast<int32_t>(129 + random.Below(width - 128))
                                  : static_cast<int32_t>(1 + random.Below(width))};
    case 2:
      return MinP{random.OneIn(2) ? std::exp2(-40 * random.Unit()) : random.Unit()};
    default:
      return TopP{
          random.OneIn(4) ? random.Pick({0.0, 0x1p-60, 1 - 0x1p-53, 0.5, 0.999999}) : random.Unit(),
          may_be_joint && random.OneIn(3)};
  }
}

}  // namespace

int64_t HardWidth(Random& random) {
  const int64_t kind = random.Below(20);
  if (kind < 1) return 1025 + random.Below(3072);
  if (kind < 6) return 400 + random.Below(700);
  return 129 + random.Below(300);
}

RowSpec HardRow(Random& random, int64_t width, DType dtype) {
  RowSpec row;
  row.logits = HardLogits(random, width, dtype);
  row.seed = random.Word();
  row.samples = random.Pick({0u, 1u, 1u, 3u});
  for (int64_t cuts = 1 + random.Below(4); cuts > 0; --cuts) {
    if (random.OneIn(3)) row.chain.stages.push_back(Temperature{random.Between(0.05, 3)});
    if (random.OneIn(3)) {
      AddRandomCut(random, width, &row.chain);
    } else {
      row.chain.stages.push_back(WideCut(random, width, !HasRewritten(row.chain)));
    }
  }
  if (random.OneIn(3)) row.chain.stages.push_back(Temperature{random.Between(0.05, 3)});
  if (random.OneIn(6)) row.chain.stages.push_back(DrawRule{DrawOrder::kSorted});
  if (row.samples < 2 && random.OneIn(8)) AddRandomLastCut(random, &row.chain);
  if (random.OneIn(4)) {
    for (int64_t i = 0; i < width / 8; ++i) {
      row.banned.push_back(static_cast<TokenId>(random.Below(width)));
    }
  }
  if (random.OneIn(2)) return row;
  row.logprob_modes = static_cast<uint8_t>(random.Below(kAllModes + 1));
  row.entropy_modes = row.logprob_modes & static_cast<uint8_t>(random.Below(kAllModes + 1));
  row.top_logprobs = random.Pick({1u, 20u, 127u, kMaxTopLogprobs});
  row.score_ids = {0, static_cast<TokenId>(random.Below(width))};
  return row;
}

}  // namespace tessera::testing

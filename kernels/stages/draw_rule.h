// How the draw runs through the tokens left, and where its random words come from. By default in id
// order with the row's Philox words (docs/numerics.md 5). Engines that draw from a sorted list of
// candidates with a documented generator are matched by the other rules: the law is the same, and
// so is the token for the same word.
#ifndef TESSERA_KERNELS_STAGES_DRAW_RULE_H_
#define TESSERA_KERNELS_STAGES_DRAW_RULE_H_

#include <cstdint>

#include "kernels/stages/refusal.h"

namespace tessera {

enum class DrawOrder : uint8_t {
  kId,
  kSorted,  // larger logit first, then lower id
};

enum class Generator : uint8_t {
  kPhilox,
  // std::mt19937 seeded with the low 32 bits of the seed; draw number `position` takes the
  // generator's outputs 2 * position and 2 * position + 1, the first in the low half of the word.
  kMt19937,
  // Marsaglia's xorshift64 (13, 7, 17), its state in the request and back; a word is the state
  // after a step.
  kXorshift64,
};

struct DrawRule {
  DrawOrder order = DrawOrder::kId;
  Generator generator = Generator::kPhilox;
};

inline Refusal Check(const DrawRule&) { return {}; }
inline bool IsOff(const DrawRule& stage) {
  return stage.order == DrawOrder::kId && stage.generator == Generator::kPhilox;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_DRAW_RULE_H_

// What a chain has left of a row after each of its stages: the exact oracle makes these steps, the
// oracle in long double judges each of them by itself.
#ifndef TESSERA_TESTS_SUPPORT_CHAIN_STEPS_H_
#define TESSERA_TESTS_SUPPORT_CHAIN_STEPS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/backend.h"
#include "kernels/chain.h"

namespace tessera::oracle {

struct Step {
  std::vector<TokenId> kept;  // larger logit first, then lower id
  std::vector<float> y;       // by id, as rewritten so far; what counts is what is kept
  double temperature = 1;     // product of those so far
  bool greedy = false;        // one token is left and nothing changes any more
  uint64_t partial = 0;       // what is left of the last token's weight; 0: all of it
};

struct ChainSteps {
  std::vector<Step> steps;  // the edited row, then what each stage of the chain left
  double tempered = 1;      // of the row before any truncation; 1 when greedy
  bool sorted_draw = false;
};

// Mirostat's mu before the draw, in bits.
inline double MirostatStart(const RowInput& row, double tau) {
  return row.has_state ? row.state[0] : 2 * tau;
}

// What adaptive-p aims at: clamp(2 * target - S / N, 0, 1); S / N is the target at the start.
inline double AdaptiveAim(const RowInput& row, double target) {
  const double mean = row.has_state ? row.state[0] / row.state[1] : target;
  return std::clamp(2 * target - mean, 0.0, 1.0);
}

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_CHAIN_STEPS_H_

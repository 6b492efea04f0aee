// The comparison of one node, on record.
#ifndef TESSERA_KERNELS_VERIFICATION_NODE_TESTS_H_
#define TESSERA_KERNELS_VERIFICATION_NODE_TESTS_H_

#include <cstdint>

#include "kernels/verification/coins.h"
#include "kernels/verification/decision.h"
#include "kernels/verification/ratio.h"
#include "kernels/verification/verdict.h"

namespace tessera {

// Whether the node's own coin accepts it with this probability.
inline bool Accepts(Coins& coins, uint32_t node, const Ratio& probability, Verdict* verdict) {
  const bool accepted = coins.Below(node, probability);
  verdict->tests.push_back({node, ProbabilityOf(probability), coins.word(node), accepted});
  return accepted;
}

// A draw from the target law itself: what is left of it where a draft that cannot have been drawn
// was rejected and the residual is empty.
inline ResidualAsk TargetItself(uint32_t position) {
  ResidualAsk ask;
  ask.position = position;
  ask.draw = true;
  return ask;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_NODE_TESTS_H_

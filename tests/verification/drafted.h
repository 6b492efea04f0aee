// Draft trees over toy models, and answers to what their verification asks.
#ifndef TESSERA_TESTS_VERIFICATION_DRAFTED_H_
#define TESSERA_TESTS_VERIFICATION_DRAFTED_H_

#include <functional>
#include <string>
#include <vector>

#include "kernels/verification/decision.h"
#include "kernels/verification/draft_tree.h"
#include "tests/verification/toy_models.h"

namespace tessera::testing {

// One of several outcomes, by weight.
using Chooser = std::function<size_t(const Weights&)>;

// Who proposes what.
struct Drafting {
  Model target;
  Model draft;
  std::vector<int> widths;  // children of a position, by depth: {1, 1, 1} is a chain of three
  bool without_replacement = false;

  // One-hot drafts: these tokens, by context, instead of draws from `draft`.
  std::function<Tokens(const Tokens&)> proposed = nullptr;
};

struct Drafted {
  DraftTree tree;
  std::vector<Tokens> contexts;        // [positions]
  std::vector<Weights> target, draft;  // [positions]; draft empty where one-hot or childless
};

// A tree after `context`, its drafts chosen by `choose`. Without replacement a position has no more
// children than its draft law has tokens.
Drafted DraftFrom(const Drafting& drafting, const Tokens& context, const Chooser& choose);

// max(a * P_v - b * Q_v, 0) of each id, naively.
std::vector<Natural> ResidualWeights(const Drafted& drafted, const ResidualAsk& ask);

// Its total as the sampler would return it; no token.
ResidualResult TotalOf(const std::vector<Natural>& weights);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_VERIFICATION_DRAFTED_H_

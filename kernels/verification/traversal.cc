// TRAVERSAL: traversal verification (Weng et al. 2025), block verification on trees, leaf to root.
// Each position has a value: 1 at the root, and for child x of a position of value pi
// min(1, pi * p'(x) / q'(x)). Go down first children to a leaf and accept it, with all above it,
// with probability its value; the next token is drawn from its p'. Else delete it: at its parent
//     p' <- norm(max(pi * p' - q', 0)),   pi <- S / (S + 1 - pi),   S = sum of max(pi * p' - q',
//     0),
// without replacement q' loses x, and go on from the parent: down its next child, whose value comes
// from the parent's new pi, p' and q', or, if it has none left, testing the parent itself. The root
// is accepted at last. On a chain this is BLOCK.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/verification/draft_tree.h"
#include "kernels/verification/measure.h"
#include "kernels/verification/methods.h"
#include "kernels/verification/node_tests.h"
#include "kernels/verification/remaining_law.h"

namespace tessera {
namespace {

// A position between the root and the leaf of the moment.
struct Step {
  uint32_t position;
  Ratio value;                      // as it was reached
  std::optional<RemainingLaw> law;  // where it has children and can be reached
  uint32_t child = 0;               // the one below, as its place among the children
  bool asked = false;               // what is left without that child:
  ResidualAsk without;
  ResidualResult left;
};

bool HasChild(const DraftTree& tree, const Step& step) {
  return step.law && step.child < tree.positions[step.position].children.size();
}

Step StepTo(const DraftTree& tree, uint32_t position, const Ratio& value) {
  Step step;
  step.position = position;
  step.value = value;
  if (tree.positions[position].children.empty()) return step;
  if (IsNegligible(value)) {
    step.value = {};
  } else {
    step.law.emplace(tree, position, value);
  }
  return step;
}

// Extends the path down first remaining children.
void Descend(const DraftTree& tree, std::vector<Step>* path) {
  while (HasChild(tree, path->back())) {
    const Step& from = path->back();
    const uint32_t node = tree.positions[from.position].children[from.child];
    path->push_back(StepTo(tree, node + 1, from.law->ChanceOf(node)));
  }
}

// What would be left at each position of the path without its child there, in one go: these answers
// stand until that child is deleted.
std::vector<ResidualAsk> AsksAlong(const DraftTree& tree, std::vector<Step>* path) {
  std::vector<ResidualAsk> asks;
  for (Step& step : *path) {
    if (step.asked || &step == &path->back()) continue;
    const std::vector<uint32_t>& children = tree.positions[step.position].children;
    step.without = step.law->Without(children[step.child]);
    step.without.draw = step.child + 1 == children.size();
    asks.push_back(step.without);
  }
  return asks;
}

void TakeAnswers(const std::vector<ResidualResult>& answers, std::vector<Step>* path) {
  auto answer = answers.begin();
  for (Step& step : *path) {
    if (step.asked || &step == &path->back()) continue;
    step.left = *answer++;
    step.asked = true;
  }
}

// Deletes the leaf, and with it the child of the position above.
void DeleteLeaf(const DraftTree& tree, std::vector<Step>* path) {
  path->pop_back();
  Step& parent = path->back();
  parent.law->Reject(tree.positions[parent.position].children[parent.child], parent.without,
                     parent.left.total);
  ++parent.child;
  parent.asked = false;
}

}  // namespace

Decision VerifyTraversal(const DraftTree& tree, Coins& coins) {
  Verdict verdict;
  verdict.impossible = ImpossibleDrafts(tree);
  std::vector<Step> path;
  path.push_back(StepTo(tree, 0, {uint64_t{1}, uint64_t{1}}));
  Descend(tree, &path);
  while (path.size() > 1) {
    const Step& leaf = path.back();
    const Ratio value = leaf.law ? leaf.law->Chance() : leaf.value;
    if (Accepts(coins, leaf.position - 1, value, &verdict)) break;
    const std::vector<ResidualAsk> asks = AsksAlong(tree, &path);
    const std::vector<ResidualResult> answers = co_await asks;
    TakeAnswers(answers, &path);
    DeleteLeaf(tree, &path);
    Descend(tree, &path);
  }
  for (size_t i = 1; i < path.size(); ++i) verdict.accepted.push_back(path[i].position - 1);
  const Step& last = path.back();
  verdict.position = last.position;
  if (!last.law) co_return verdict;  // no children: the bonus token
  verdict.token = last.left.token;
  if (last.left.total == U128{}) {
    const ResidualAsk ask = TargetItself(last.position);
    const ResidualResult drawn = co_await ask;
    verdict.token = drawn.token;
  }
  co_return verdict;
}

}  // namespace tessera

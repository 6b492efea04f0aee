#include "tests/verification/drafted.h"

#include <algorithm>

namespace tessera::testing {
namespace {

Tokens ChildrenOf(const Drafting& drafting, const Tokens& context, int width,
                  const Chooser& choose) {
  if (drafting.proposed) return drafting.proposed(context);
  Tokens children;
  Weights left = drafting.draft(context);
  for (int i = 0; i < width && Total(left) > 0; ++i) {
    children.push_back(static_cast<TokenId>(choose(left)));
    if (drafting.without_replacement) left[children.back()] = 0;
  }
  return children;
}

void AddChild(TokenId token, uint32_t parent, Drafted* drafted) {
  DraftPosition& position = drafted->tree.positions[parent];
  DraftNode node;
  node.token = token;
  node.parent = parent;
  node.target_weight = drafted->target[parent][token];
  node.draft_weight = position.one_hot ? 1 : drafted->draft[parent][token];
  position.children.push_back(static_cast<uint32_t>(drafted->tree.nodes.size()));
  drafted->tree.nodes.push_back(node);
  Tokens context = drafted->contexts[parent];
  context.push_back(token);
  drafted->contexts.push_back(context);
  drafted->tree.positions.emplace_back();
}

}  // namespace

Drafted DraftFrom(const Drafting& drafting, const Tokens& context, const Chooser& choose) {
  Drafted drafted;
  drafted.tree.without_replacement = drafting.without_replacement;
  drafted.tree.positions.emplace_back();
  drafted.contexts.push_back(context);
  for (uint32_t at = 0; at < drafted.tree.positions.size(); ++at) {
    const Tokens here = drafted.contexts[at];
    drafted.target.push_back(drafting.target(here));
    drafted.draft.emplace_back();
    drafted.tree.positions[at].target_total = Total(drafted.target[at]);
    const size_t depth = here.size() - context.size();
    if (depth == drafting.widths.size()) continue;
    DraftPosition& position = drafted.tree.positions[at];
    position.one_hot = drafting.proposed != nullptr;
    if (!position.one_hot) drafted.draft[at] = drafting.draft(here);
    position.draft_total = position.one_hot ? 1 : Total(drafted.draft[at]);
    for (const TokenId token : ChildrenOf(drafting, here, drafting.widths[depth], choose)) {
      AddChild(token, at, &drafted);
    }
  }
  return drafted;
}

std::vector<Natural> ResidualWeights(const Drafted& drafted, const ResidualAsk& ask) {
  const Weights& target = drafted.target[ask.position];
  std::vector<Natural> weights;
  for (size_t id = 0; id < target.size(); ++id) {
    const Natural kept = Natural(ask.a) * Natural(target[id]);
    Natural taken;
    if (ask.b > 0) taken = Natural(ask.b) * Natural(drafted.draft[ask.position][id]);
    const bool excluded = std::find(ask.excluded.begin(), ask.excluded.end(),
                                    static_cast<TokenId>(id)) != ask.excluded.end();
    weights.push_back(taken < kept && !excluded ? kept - taken : Natural());
  }
  return weights;
}

ResidualResult TotalOf(const std::vector<Natural>& weights) {
  Natural total;
  for (const Natural& weight : weights) total = total + weight;
  const std::vector<uint64_t> words = total.Words();
  ResidualResult result;
  if (!words.empty()) result.total.lo = words[0];
  if (words.size() > 1) result.total.hi = words[1];
  return result;
}

}  // namespace tessera::testing

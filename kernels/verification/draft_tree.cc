#include "kernels/verification/draft_tree.h"

#include <cstdint>

namespace tessera {

bool IsImpossible(const DraftTree& tree, uint32_t node) {
  const DraftNode& draft = tree.nodes[node];
  const DraftPosition& parent = tree.positions[draft.parent];
  if (draft.draft_weight == 0) return true;
  if (!tree.without_replacement || parent.one_hot) return false;
  for (const uint32_t sibling : parent.children) {
    if (sibling == node) break;
    if (tree.nodes[sibling].token == draft.token) return true;
  }
  return false;
}

uint32_t ImpossibleDrafts(const DraftTree& tree) {
  uint32_t impossible = 0;
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    impossible += IsImpossible(tree, node) ? 1 : 0;
  }
  return impossible;
}

}  // namespace tessera

// What a sequence's verification knows before it decides: the drafts, and what target and draft
// weigh each of them.
#ifndef TESSERA_KERNELS_VERIFICATION_DRAFT_TREE_H_
#define TESSERA_KERNELS_VERIFICATION_DRAFT_TREE_H_

#include <cstdint>
#include <vector>

#include "kernels/types.h"

namespace tessera {

// A drafted token x. Its parent is a position: 0 is the root, position 1 + j follows node j.
struct DraftNode {
  TokenId token = -1;
  uint32_t parent = 0;
  uint64_t target_weight = 0;  // P_x, by the parent's target law
  uint64_t draft_weight = 0;   // Q_x, by the parent's draft law; 1 where that is one-hot
};

struct DraftPosition {
  std::vector<uint32_t> children;  // nodes, in draft order
  uint64_t target_total = 0;       // W_p > 0
  double entropy = 0;              // of the target law, in nats; only TYPICAL reads it

  // The draft law, where there are children. One-hot: each child has a law of its own, all weight
  // on itself (W_q = Q_x = 1), and residuals speak of excluded ids instead of Q.
  bool one_hot = false;
  uint64_t draft_total = 0;  // W_q > 0
};

struct DraftTree {
  std::vector<DraftNode> nodes;          // parents before children: parent <= own index
  std::vector<DraftPosition> positions;  // [nodes + 1]
  bool without_replacement = false;      // siblings were drawn so from the draft law
};

// Whether the draft law, without replacement or not, cannot have drawn this node: it weighs nothing
// there, or a sibling before it took its token.
bool IsImpossible(const DraftTree& tree, uint32_t node);

// How many nodes are.
uint32_t ImpossibleDrafts(const DraftTree& tree);

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_DRAFT_TREE_H_

// What verification decided about one sequence.
#ifndef TESSERA_KERNELS_VERIFICATION_VERDICT_H_
#define TESSERA_KERNELS_VERIFICATION_VERDICT_H_

#include <cstdint>
#include <vector>

#include "kernels/types.h"

namespace tessera {

// One comparison that was made: `word` / 2^64 against `probability`.
struct NodeTest {
  uint32_t node = 0;
  double probability = 0;  // min(1, num / den) of the exact fraction that decided
  uint64_t word = 0;       // 0 where the rule uses none
  bool accepted = false;
};

struct Verdict {
  std::vector<uint32_t> accepted;  // nodes, root side first
  uint32_t position = 0;           // that the last token comes from
  TokenId token = -1;              // it; -1: the bonus token of `position`, which has no children
  std::vector<NodeTest> tests;     // in the order they were made
  uint32_t impossible = 0;         // drafts that the draft law cannot have drawn
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_VERDICT_H_

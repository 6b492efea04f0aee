// Coins and trees that a test sets itself, for decisions in which nothing is left to chance.
#ifndef TESSERA_TESTS_VERIFICATION_GIVEN_COINS_H_
#define TESSERA_TESTS_VERIFICATION_GIVEN_COINS_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kernels/residual_input.h"
#include "kernels/verification/coins.h"
#include "kernels/verification/draft_tree.h"

namespace tessera::testing {

// Words by index; 0 where none is set.
class GivenCoins final : public Coins {
 public:
  explicit GivenCoins(std::map<uint32_t, uint64_t> words = {}) : words_(std::move(words)) {}
  bool Below(uint32_t index, const Ratio& ratio) override { return WordBelow(word(index), ratio); }
  uint64_t word(uint32_t index) const override {
    const auto found = words_.find(index);
    return found == words_.end() ? 0 : found->second;
  }

 private:
  std::map<uint32_t, uint64_t> words_;
};

inline constexpr uint64_t kHighest = ~uint64_t{0};

struct Weighed {
  uint64_t target;  // P_x of 100
  uint64_t draft;   // Q_x of 100
};

// Node i drafts id i; all laws total 100.
inline DraftTree Chain(const std::vector<Weighed>& drafts) {
  DraftTree tree;
  for (uint32_t i = 0; i < drafts.size(); ++i) {
    tree.nodes.push_back({static_cast<TokenId>(i), i, drafts[i].target, drafts[i].draft});
    tree.positions.push_back({{i}, 100, 0, false, 100});
  }
  tree.positions.push_back({{}, 100, 0, false, 0});
  return tree;
}

// Drafts of the root, ids 0, 1, ...
inline DraftTree Siblings(const std::vector<Weighed>& drafts) {
  DraftTree tree;
  tree.positions.push_back({{}, 100, 0, false, 100});
  for (uint32_t i = 0; i < drafts.size(); ++i) {
    tree.nodes.push_back({static_cast<TokenId>(i), 0, drafts[i].target, drafts[i].draft});
    tree.positions[0].children.push_back(i);
    tree.positions.push_back({{}, 100, 0, false, 0});
  }
  return tree;
}

inline ResidualResult Total(uint64_t total, TokenId token = -1) { return {{0, total}, token}; }

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_VERIFICATION_GIVEN_COINS_H_

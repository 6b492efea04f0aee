// Scripts of operations on a list, with the answers that a NaiveList gives.
#ifndef TESSERA_TESTS_CUDA_LIST_SCRIPT_H_
#define TESSERA_TESTS_CUDA_LIST_SCRIPT_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/cuda/list_calls.h"
#include "tests/cuda/naive_list.h"

namespace tessera::cuda {

// Grows a script call by call, keeping what each must answer and write.
class ListScriptMaker {
 public:
  struct Expected {
    uint64_t answer = 0;
    std::vector<uint64_t> written;
    bool everywhere = false;  // in every block, not in the leader alone
  };

  ListScriptMaker(std::vector<TokenKey> keys, uint64_t seed)
      : random_(seed), words_(kMostWritten), initial_sums_(kSums) {
    list_.keys = std::move(keys);
    for (uint64_t& word : words_) word = random_() >> (random_() % 4 == 0 ? random_() % 64 : 0);
    words_[0] = ~uint64_t{0};
    words_[1] = 0;
    for (uint64_t& sum : initial_sums_) sum = random_() >> 8;
    sums_ = initial_sums_;
  }

  // A weigher of any temperature, whose largest logit may stand above those of the list.
  void Weigh() {
    constexpr float kScales[] = {144.0f, 2.0f, 1.4426950f, 0.14f, 1e-3f, 1e-30f};
    float y_max = -1e30f;
    for (TokenKey key : list_.keys) y_max = std::max(y_max, FromOrderKey(OrderKeyOf(key)));
    if (random_() % 4 == 0) y_max += static_cast<float>(random_() % 40);
    list_.weigher = MakeWeigher(y_max, kScales[random_() % std::size(kScales)]);
    weighed_ = list_.Weight();
    Add({ListOp::kWeigh, 0, 0, list_.weigher}, weighed_);
  }

  void FindCut(uint64_t target) { Add({ListOp::kFindCut, target}, list_.FindCut(target)); }

  // Masses in and between keys, as far as the list has any.
  void FindCuts() {
    if (weighed_ == 0) return;
    FindCut(1);
    FindCut(weighed_);
    FindCut(1 + random_() % weighed_);
    const uint64_t until = MassOfFirst(1 + random_() % list_.keys.size());
    if (until > 0) FindCut(until);
    if (until < weighed_) FindCut(until + 1);
  }

  void FindCounts() {
    const auto size = static_cast<uint32_t>(list_.keys.size());
    if (size == 0) return;
    for (const uint32_t count : {1u, size, static_cast<uint32_t>(1 + random_() % size)}) {
      Add({ListOp::kFindCount, count}, list_.FindCount(count));
    }
  }

  void CountAbove() {
    for (const TokenKey key : {AnyKey(), AnyKey() + 1}) {
      Add({ListOp::kCountAbove, key}, list_.CountAbove(key));
    }
  }

  void Top(uint32_t n) {
    std::vector<uint64_t> top = list_.Sorted();
    top.resize(std::min<size_t>(top.size(), n));
    const uint64_t found = top.size();
    Add({ListOp::kTop, n}, found, std::move(top));
  }

  void Rank(uint32_t first) {
    const std::vector<TokenKey> sorted = list_.Sorted();
    std::vector<uint64_t> ranked;
    for (uint32_t i = first; i < sorted.size() && i < first + kThreads; ++i) {
      ranked.push_back(sorted[i]);
    }
    const uint64_t found = ranked.size();
    Add({ListOp::kRank, first}, found, std::move(ranked));
    expected_.back().everywhere = true;
  }

  void AddToSums(TokenKey lo) { Add({ListOp::kAddToSums, lo}, list_.AddToSums(lo, &sums_)); }

  void Draw(uint32_t n) {
    if (weighed_ == 0) return;
    std::vector<uint64_t> ids;
    for (uint32_t i = 0; i < n; ++i) ids.push_back(static_cast<uint64_t>(list_.Draw(words_[i])));
    Add({ListOp::kDraw, weighed_, n}, 0, std::move(ids));
  }

  void Keep(TokenKey lo, TokenKey hi) {
    list_.Keep(lo, hi);
    weighed_ = list_.Weight();
    Add({ListOp::kKeep, lo, hi}, list_.keys.size());
  }

  void Only(TokenKey key) {
    list_.keys = {key};
    Add({ListOp::kOnly, key}, 1);
  }

  TokenKey AnyKey() {
    if (list_.keys.empty()) return MakeTokenKey(0, 7);
    return list_.keys[random_() % list_.keys.size()];
  }

  std::mt19937_64& random() { return random_; }
  const std::vector<ListCall>& calls() const { return calls_; }
  const std::vector<Expected>& expected() const { return expected_; }
  const std::vector<uint64_t>& words() const { return words_; }
  const std::vector<uint64_t>& initial_sums() const { return initial_sums_; }
  const std::vector<uint64_t>& sums() const { return sums_; }

 private:
  uint64_t MassOfFirst(uint64_t count) const {
    const std::vector<TokenKey> sorted = list_.Sorted();
    uint64_t mass = 0;
    for (uint64_t i = 0; i < count; ++i) mass += list_.WeightOfKey(sorted[i]);
    return mass;
  }

  void Add(const ListCall& call, uint64_t answer, std::vector<uint64_t> written = {}) {
    calls_.push_back(call);
    expected_.push_back({answer, std::move(written)});
  }

  std::mt19937_64 random_;
  NaiveList list_;
  uint64_t weighed_ = 0;  // what the list weighs
  std::vector<uint64_t> words_;
  std::vector<uint64_t> initial_sums_;
  std::vector<uint64_t> sums_;
  std::vector<ListCall> calls_;
  std::vector<Expected> expected_;
};

}  // namespace tessera::cuda

#endif  // TESSERA_TESTS_CUDA_LIST_SCRIPT_H_

// What a list of token keys answers (kernels/row/row.h), by sorting and loops.
#ifndef TESSERA_TESTS_CUDA_NAIVE_LIST_H_
#define TESSERA_TESTS_CUDA_NAIVE_LIST_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/math/key.h"
#include "kernels/math/weight.h"
#include "kernels/math/wide.h"
#include "kernels/row/row_view.h"
#include "kernels/types.h"

namespace tessera {

struct NaiveList {
  std::vector<TokenKey> keys;  // in id order
  Weigher weigher{0, 1, -150};

  uint64_t WeightOfKey(TokenKey key) const {
    return WeightOf(weigher, FromOrderKey(OrderKeyOf(key)));
  }

  std::vector<TokenKey> Sorted() const {
    std::vector<TokenKey> sorted = keys;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    return sorted;
  }

  void Keep(TokenKey lo, TokenKey hi) {
    std::erase_if(keys, [=](TokenKey key) { return key < lo || key > hi; });
  }

  uint64_t Weight() const {
    uint64_t sum = 0;
    for (const TokenKey key : keys) sum += WeightOfKey(key);
    return sum;
  }

  TokenKey FindCut(uint64_t target) const {
    uint64_t sum = 0;
    for (const TokenKey key : Sorted()) {
      sum += WeightOfKey(key);
      if (sum >= target) return key;
    }
    return 0;
  }

  TokenKey FindCount(uint32_t count) const { return Sorted()[count - 1]; }

  uint32_t CountAbove(TokenKey bound) const {
    return static_cast<uint32_t>(
        std::count_if(keys.begin(), keys.end(), [=](TokenKey key) { return key >= bound; }));
  }

  uint64_t AddToSums(TokenKey lo, std::vector<uint64_t>* chunk_sums) const {
    uint64_t sum = 0;
    for (const TokenKey key : keys) {
      if (key < lo) continue;
      (*chunk_sums)[static_cast<size_t>(IdOf(key)) / kChunkIds] += WeightOfKey(key);
      sum += WeightOfKey(key);
    }
    return sum;
  }

  TokenId Draw(uint64_t word) const {
    const uint64_t r = Multiply(word, Weight()).hi;
    uint64_t sum = 0;
    for (const TokenKey key : keys) {
      sum += WeightOfKey(key);
      if (sum > r) return IdOf(key);
    }
    return -1;
  }
};

}  // namespace tessera

#endif  // TESSERA_TESTS_CUDA_NAIVE_LIST_H_

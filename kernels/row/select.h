// Finds where a list of keys must be cut so that the part above reaches a mass (or a count).
//
// Exact for any list: pivots only decide how fast. Each round sorts a few sampled keys, finds by
// summing which two of them enclose the cut, and keeps what lies between.
#ifndef TESSERA_KERNELS_ROW_SELECT_H_
#define TESSERA_KERNELS_ROW_SELECT_H_

#include <cstdint>

#include "kernels/math/host_device.h"
#include "kernels/math/key.h"

namespace tessera {

// Keys with their weights, in any order; null weights count 1 each.
struct KeyList {
  TokenKey* keys = nullptr;
  uint64_t* weights = nullptr;
  uint32_t size = 0;
};

// Descending; for lists of at most a few hundred keys.
TESSERA_HD inline void SortShortList(KeyList list) {
  for (uint32_t i = 1; i < list.size; ++i) {
    const TokenKey key = list.keys[i];
    const uint64_t weight = list.weights != nullptr ? list.weights[i] : 0;
    uint32_t j = i;
    for (; j > 0 && list.keys[j - 1] < key; --j) {
      list.keys[j] = list.keys[j - 1];
      if (list.weights != nullptr) list.weights[j] = list.weights[j - 1];
    }
    list.keys[j] = key;
    if (list.weights != nullptr) list.weights[j] = weight;
  }
}

// Descending, in place, for lists of any size: heap sort.
TESSERA_HD inline void SortKeys(TokenKey* keys, uint32_t n) {
  // Moves keys[root] down in the min-heap keys[0, end).
  const auto sift = [keys](uint32_t root, uint32_t end) {
    const TokenKey key = keys[root];
    for (uint32_t child = 2 * root + 1; child < end; child = 2 * root + 1) {
      if (child + 1 < end && keys[child + 1] < keys[child]) ++child;
      if (keys[child] >= key) break;
      keys[root] = keys[child];
      root = child;
    }
    keys[root] = key;
  };
  for (uint32_t root = n / 2; root > 0; --root) sift(root - 1, n);
  for (uint32_t end = n; end > 1; --end) {
    const TokenKey smallest = keys[0];
    keys[0] = keys[end - 1];
    keys[end - 1] = smallest;
    sift(0, end - 1);
  }
}

// Copies what lies in [lo, hi] to `out`, which may be `list` itself, keeping its order.
template <class Passes>
uint32_t KeepBetween(Passes& passes, const KeyList& list, TokenKey lo, TokenKey hi,
                     const KeyList& out) {
  return passes.KeepKeys(list.keys, list.weights, list.size, lo, hi, out.keys, out.weights);
}

inline constexpr uint32_t kSelectPivots = 15;  // four sums a round shrink the list to a 16th
inline constexpr uint32_t kSelectByInsertion = 48;

// Rounds with pivots sampled from the list; four serve any list that was not made to defeat them.
// Later rounds split the range of keys evenly, so that 16 of them are enough whatever the list.
inline constexpr int kSampledRounds = 8;

// The largest key such that it and the keys above it together weigh at least `target`. REQUIRES:
// 0 < target <= the list's weight. Uses `work` (as large as the list) and leaves `list` alone.
template <class Passes>
TokenKey FindCut(Passes& passes, KeyList list, uint64_t target, KeyList work) {
  if (list.weights == nullptr) work.weights = nullptr;
  TokenKey lo = 0;  // what is left lies in [lo, hi]
  TokenKey hi = ~TokenKey{0};
  for (int round = 0; list.size > kSelectByInsertion; ++round) {
    TokenKey pivots[kSelectPivots];
    for (uint32_t i = 0; i < kSelectPivots; ++i) {
      pivots[i] = round < kSampledRounds
                      ? list.keys[uint64_t{list.size} * (2 * i + 1) / (uint64_t{2} * kSelectPivots)]
                      : lo + (hi - lo) / (kSelectPivots + 1) * (i + 1);
    }
    SortShortList({pivots, nullptr, kSelectPivots});
    // Invariant: weight above pivots[first - 1] < target <= weight above pivots[last].
    uint32_t first = 0;
    uint32_t last = kSelectPivots;
    uint64_t above_hi = 0;  // weight above the upper end that is kept
    while (first < last) {
      const uint32_t middle = (first + last) / 2;
      const uint64_t above = passes.MassAbove(list.keys, list.weights, list.size, pivots[middle]);
      if (above >= target) {
        last = middle;
      } else {
        first = middle + 1;
        above_hi = above;
      }
    }
    if (first > 0) hi = pivots[first - 1];
    if (last < kSelectPivots) lo = pivots[last] + 1;
    work.size = KeepBetween(passes, list, lo, hi, work);
    target -= first == 0 ? 0 : above_hi;
    list = work;
  }
  if (list.keys != work.keys) list.size = KeepBetween(passes, list, 0, ~TokenKey{0}, work);
  work.size = list.size;
  SortShortList(work);
  uint64_t sum = 0;
  uint32_t i = 0;
  for (; i < work.size; ++i) {
    sum += work.weights != nullptr ? work.weights[i] : 1;
    if (sum >= target) break;
  }
  return work.keys[i];
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SELECT_H_

// The list of a SerialRow: token keys in id order, and their weights, in the row's scratch.
#ifndef TESSERA_KERNELS_ROW_SERIAL_LIST_H_
#define TESSERA_KERNELS_ROW_SERIAL_LIST_H_

#include <cstdint>

#include "kernels/row/passes.h"
#include "kernels/row/ranked.h"
#include "kernels/row/row.h"
#include "kernels/row/scratch.h"
#include "kernels/row/select.h"

namespace tessera {

template <class Passes>
class SerialList {
 public:
  SerialList(Passes& passes, RowScratch& scratch)
      : passes_(passes),
        capacity_(scratch.list_capacity),
        list_{scratch.candidates, scratch.weights, 0},
        work_{scratch.work, scratch.work_weights, 0} {}

  uint32_t size() const { return list_.size; }

  uint32_t Collect(const Interval& support) {
    list_.size = passes_.Collect(support, list_.keys, capacity_);
    return list_.size;
  }

  void Only(TokenKey key) {
    list_.keys[0] = key;
    list_.size = 1;
  }

  void Keep(TokenKey lo, TokenKey hi) { list_.size = KeepBetween(passes_, list_, lo, hi, list_); }

  uint64_t Weigh(const Weigher& weigher) {
    passes_.WeighKeys(weigher, list_.keys, list_.size, list_.weights);
    return passes_.MassAbove(list_.keys, list_.weights, list_.size, 0);
  }

  TokenKey FindCut(uint64_t target) { return tessera::FindCut(passes_, list_, target, work_); }
  TokenKey FindCount(uint32_t count) {
    return tessera::FindCut(passes_, KeyList{list_.keys, nullptr, list_.size}, count, work_);
  }

  uint32_t CountAbove(TokenKey key) const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list_.size; ++i) count += list_.keys[i] >= key ? 1 : 0;
    return count;
  }

  template <class Write>
  uint32_t Top(uint32_t n, Write write) {
    const uint32_t found = n > 0 ? RankList(passes_, list_, 0, n, work_) : 0;
    for (uint32_t rank = 0; rank < found; ++rank) write(rank, work_.keys[rank]);
    return found;
  }

  void RankFrom(uint32_t first) { RankList(passes_, list_, first, first + kRankedKeys, work_); }
  TokenKey RankedKey(uint32_t rank) const { return work_.keys[rank % kRankedKeys]; }

  template <class Write>
  void ForEach(Write write) const {
    for (uint32_t i = 0; i < list_.size; ++i) write(i, list_.keys[i]);
  }

  // Adds the weights of the keys at or above `lo` to the sums of their chunks; their sum.
  // REQUIRES: lo > 0.
  uint64_t AddToChunks(TokenKey lo, uint64_t* chunk_sums) {
    uint64_t total = 0;
    for (uint32_t begin = 0; begin < list_.size;) {
      const uint32_t chunk = static_cast<uint32_t>(IdOf(list_.keys[begin])) / kChunkIds;
      const uint32_t most = list_.size - begin < kChunkIds ? list_.size : begin + kChunkIds;
      const uint32_t end = PlaceOfId(begin + 1, most, (chunk + 1) * kChunkIds);
      const uint64_t sum =
          passes_.MassAbove(list_.keys + begin, list_.weights + begin, end - begin, lo - 1);
      chunk_sums[chunk] += sum;
      total += sum;
      begin = end;
    }
    return total;
  }

  // Makes the weights inclusive sums.
  void Accumulate() {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < list_.size; ++i) list_.weights[i] = sum += list_.weights[i];
  }

  // The first id whose inclusive sum exceeds r.
  TokenId IdAbove(uint64_t r) const {
    uint32_t first = 0;
    for (uint32_t size = list_.size; size > 1;) {
      const uint32_t half = size / 2;
      if (list_.weights[first + half - 1] <= r) first += half;
      size -= half;
    }
    return IdOf(list_.keys[first]);
  }

 private:
  // The first place in [begin, end) whose id is at least `id`.
  uint32_t PlaceOfId(uint32_t begin, uint32_t end, uint32_t id) const {
    while (begin < end) {
      const uint32_t middle = begin + (end - begin) / 2;
      if (static_cast<uint32_t>(IdOf(list_.keys[middle])) < id) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  Passes& passes_;
  const uint32_t capacity_;
  KeyList list_;
  KeyList work_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SERIAL_LIST_H_

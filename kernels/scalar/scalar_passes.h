// The row passes as plain loops: the readable definition that every executor must equal.
#ifndef TESSERA_KERNELS_SCALAR_SCALAR_PASSES_H_
#define TESSERA_KERNELS_SCALAR_SCALAR_PASSES_H_

#include <cstdint>

#include "kernels/row/passes.h"

namespace tessera {

class ScalarPasses {
 public:
  ScalarPasses(const RowView& row, const PassScratch&) : row_(row) {}

  const RowView& row() const { return row_; }

  RowMax LoadMax() {
    RowMax max;
    for (uint32_t id = 0; id < row_.columns; ++id) {
      const int32_t key = OrderKey(LogitAt(row_, id));
      // NaN lies outside the infinities, on either side.
      if (key >= kOrderKeyPosInf || key < kOrderKeyNegInf) max.invalid = true;
      if (key > max.key) max.key = key;
    }
    return max;
  }

  // Nothing is kept that could narrow.
  int32_t CountFloor(uint32_t) { return kOrderKeyNegInf; }
  uint32_t RoughCount(int32_t) { return row_.columns; }
  OrderBracket GuessMassBracket(const Weigher&, double) {
    return {kOrderKeyNegInf, kOrderKeyPosInf};
  }

  WeighTotals Weigh(const Weigher& weigher, const Interval& support, int32_t above,
                    uint64_t* chunk_sums) {
    WeighTotals totals;
    for (uint32_t chunk = 0; chunk < row_.chunks(); ++chunk) chunk_sums[chunk] = 0;
    ForEachIn(support, [&](TokenKey key) {
      const uint64_t weight = WeightOf(weigher, FromOrderKey(OrderKeyOf(key)));
      totals.total += weight;
      if (OrderKeyOf(key) <= above) return;
      totals.above += weight;
      chunk_sums[static_cast<uint32_t>(IdOf(key)) / kChunkIds] += weight;
    });
    return totals;
  }

  uint32_t Collect(const Interval& support, TokenKey* out, uint32_t capacity) {
    uint32_t n = 0;
    ForEachIn(support, [&](TokenKey key) {
      if (n < capacity) out[n] = key;
      ++n;
    });
    return n;
  }

  uint32_t Count(const Interval& support) {
    uint32_t n = 0;
    ForEachIn(support, [&](TokenKey) { ++n; });
    return n;
  }

  uint32_t ChunkLogits(uint32_t chunk, float* out) {
    const uint32_t n = ChunkSize(chunk);
    for (uint32_t i = 0; i < n; ++i) out[i] = LogitAt(row_, chunk * kChunkIds + i);
    return n;
  }

  uint32_t ChunkWeights(const Weigher& weigher, const Interval& support, uint32_t chunk,
                        uint64_t* out) {
    const uint32_t n = ChunkSize(chunk);
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t id = chunk * kChunkIds + i;
      const float y = LogitAt(row_, id);
      const bool inside = support.Has(MakeTokenKey(OrderKey(y), static_cast<TokenId>(id)));
      out[i] = inside ? WeightOf(weigher, y) : 0;
    }
    return n;
  }

  void WeighKeys(const Weigher& weigher, const TokenKey* keys, uint32_t n, uint64_t* weights) {
    for (uint32_t i = 0; i < n; ++i) {
      weights[i] = WeightOf(weigher, FromOrderKey(OrderKeyOf(keys[i])));
    }
  }

  uint64_t MassAbove(const TokenKey* keys, const uint64_t* weights, uint32_t n, TokenKey pivot) {
    uint64_t mass = 0;
    for (uint32_t i = 0; i < n; ++i) {
      if (keys[i] > pivot) mass += weights != nullptr ? weights[i] : 1;
    }
    return mass;
  }

  uint32_t KeepKeys(const TokenKey* keys, const uint64_t* weights, uint32_t n, TokenKey lo,
                    TokenKey hi, TokenKey* out_keys, uint64_t* out_weights) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; ++i) {
      if (keys[i] < lo || keys[i] > hi) continue;
      if (weights != nullptr) out_weights[kept] = weights[i];
      out_keys[kept++] = keys[i];
    }
    return kept;
  }

 private:
  uint32_t ChunkSize(uint32_t chunk) const {
    const uint32_t left = row_.columns - chunk * kChunkIds;
    return left < kChunkIds ? left : kChunkIds;
  }

  template <class Visit>
  void ForEachIn(const Interval& support, Visit visit) const {
    for (uint32_t id = 0; id < row_.columns; ++id) {
      const TokenKey key = MakeTokenKey(OrderKey(LogitAt(row_, id)), static_cast<TokenId>(id));
      if (support.Has(key)) visit(key);
    }
  }

  RowView row_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_SCALAR_SCALAR_PASSES_H_

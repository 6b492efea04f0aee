// The row passes on vectors: what the row algorithm is compiled with for each SIMD target.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_PASSES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_PASSES_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_PASSES_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_PASSES_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_collect-inl.h"
#include "kernels/cpu/simd_guess-inl.h"
#include "kernels/cpu/simd_lists-inl.h"
#include "kernels/cpu/simd_max-inl.h"
#include "kernels/cpu/simd_narrow-inl.h"
#include "kernels/cpu/simd_weigh_row-inl.h"
#include "kernels/row/passes.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

class SimdPasses {
 public:
  SimdPasses(const RowView& row, const PassScratch& scratch) : row_(row), scratch_(scratch) {}

  const RowView& row() const { return row_; }

  RowMax LoadMax() {
    return WithElements(
        row_.dtype, [&](auto elements) { return LoadMaxOf<decltype(elements)>(row_, scratch_); });
  }

  int32_t CountFloor(uint32_t k) {
    return WithElements(row_.dtype, [&](auto elements) {
      return CountFloorOf<decltype(elements)>(row_, scratch_, k);
    });
  }

  uint32_t RoughCount(int32_t order_key) {
    return WithElements(row_.dtype, [&](auto elements) {
      return RoughCountOf<decltype(elements)>(row_, scratch_, order_key);
    });
  }

  OrderBracket GuessMassBracket(const Weigher& weigher, double p) {
    return WithElements(row_.dtype, [&](auto elements) {
      return GuessMassBracketOf<decltype(elements)>(row_, scratch_, weigher, p);
    });
  }

  WeighTotals Weigh(const Weigher& weigher, const Interval& support, int32_t above,
                    uint64_t* chunk_sums) {
    return WithElements(row_.dtype, [&](auto elements) {
      return WeighWith<decltype(elements)>(row_, scratch_, weigher, support, above, chunk_sums);
    });
  }

  uint32_t Collect(const Interval& support, TokenKey* out, uint32_t capacity) {
    return WithElements(row_.dtype, [&](auto elements) {
      return CollectOf<decltype(elements)>(row_, scratch_, support, out, capacity);
    });
  }

  uint32_t Count(const Interval& support) {
    return WithElements(row_.dtype, [&](auto elements) {
      return CountOf<decltype(elements)>(row_, scratch_, support);
    });
  }

  uint32_t ChunkLogits(uint32_t chunk, float* out) {
    return WithElements(row_.dtype, [&](auto elements) {
      LoadChunk<decltype(elements)>(row_, chunk, out);
      return ChunkSize(row_, chunk);
    });
  }

  uint32_t ChunkWeights(const Weigher& weigher, const Interval& support, uint32_t chunk,
                        uint64_t* out) {
    return WithElements(row_.dtype, [&](auto elements) {
      return ChunkWeightsOf<decltype(elements)>(row_, weigher, support, chunk, out);
    });
  }

  void WeighKeys(const Weigher& weigher, const TokenKey* keys, uint32_t n, uint64_t* weights) {
    WeighKeyList(weigher, keys, n, weights);
  }

  uint64_t MassAbove(const TokenKey* keys, const uint64_t* weights, uint32_t n, TokenKey pivot) {
    return weights != nullptr ? ListMassAbove(keys, weights, n, pivot)
                              : ListCountAbove(keys, n, pivot);
  }

  uint32_t KeepKeys(const TokenKey* keys, const uint64_t* weights, uint32_t n, TokenKey lo,
                    TokenKey hi, TokenKey* out_keys, uint64_t* out_weights) {
    return KeepListBetween(keys, weights, n, lo, hi, out_keys, out_weights);
  }

 private:
  RowView row_;
  PassScratch scratch_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_PASSES_INL_H_

// Row passes: what a thread that has a row to itself needs of it. The only code of such an executor
// that touches all V elements; serial_row.h makes a Row (row.h) of it.
//
// A `Passes` type is bound to one RowView and its PassScratch and offers:
//
//   const RowView& row() const;
//   RowMax LoadMax();
//       The largest order key, and whether some logit is NaN or +inf. Comes first: it also keeps
//       what narrows later passes (lane maxima, a histogram, or nothing).
//   int32_t CountFloor(uint32_t k);
//       An order key at or above which stand at least k ids, as high as the executor can tell
//       cheaply; the lowest key when fewer than k are candidates.
//   uint32_t RoughCount(int32_t order_key);
//       About how many ids stand at or above the key. A guess, to choose between a list and a pass.
//   OrderBracket GuessMassBracket(const Weigher&, double p);
//       Where the first p of the row's mass probably ends. A guess: no answer depends on it.
//   WeighTotals Weigh(const Weigher&, const Interval& support, int32_t above, uint64_t*
//   chunk_sums);
//       Integer weight of the support, and of its part whose order key exceeds `above`; the latter
//       also per chunk (kNoBound: all of the support).
//   uint32_t Collect(const Interval& support, TokenKey* out, uint32_t capacity);
//       The support's token keys in id order. A return above `capacity` says that they do not fit;
//       then the first `capacity` are there.
//   uint32_t Count(const Interval& support);
//   uint32_t ChunkLogits(uint32_t chunk, float* out);
//   uint32_t ChunkWeights(const Weigher&, const Interval& support, uint32_t chunk, uint64_t* out);
//       One chunk's logits, or weights (0 outside the support); the number of ids in it. What is
//       built on these (Resolve, Entropy, Moments, Residual) stands in chunk_passes.h, and Ranked
//       in ranked.h.
//
// and on short lists of keys, which are not passes but want the same vector units:
//
//   void WeighKeys(const Weigher&, const TokenKey* keys, uint32_t n, uint64_t* weights);
//   uint64_t MassAbove(const TokenKey* keys, const uint64_t* weights, uint32_t n, TokenKey pivot);
//       Sum of the weights whose key is above the pivot; null weights count 1 each.
//   uint32_t KeepKeys(const TokenKey* keys, const uint64_t* weights, uint32_t n, TokenKey lo,
//                     TokenKey hi, TokenKey* out_keys, uint64_t* out_weights);
//       Copies the keys in [lo, hi], and their weights unless null, in order; in place if wanted.
//
// All of them are pure functions of the row; all executors give the same bits.
#ifndef TESSERA_KERNELS_ROW_PASSES_H_
#define TESSERA_KERNELS_ROW_PASSES_H_

#include <cstdint>

#include "kernels/math/weight.h"
#include "kernels/row/interval.h"
#include "kernels/row/row.h"
#include "kernels/row/row_view.h"
#include "kernels/types.h"

namespace tessera {

// Memory one bound row may use; contents are the executor's business.
struct PassScratch {
  static constexpr uint32_t kLanesPerChunk = 32;
  int32_t* lane_maxima = nullptr;   // [chunks * kLanesPerChunk], 64-byte aligned
  int32_t* chunk_maxima = nullptr;  // [chunks], 64-byte aligned
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_PASSES_H_

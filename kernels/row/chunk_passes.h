// Passes that look at one chunk's logits or weights at a time, written once for every executor:
// Resolve, Entropy and MomentsOf.
#ifndef TESSERA_KERNELS_ROW_CHUNK_PASSES_H_
#define TESSERA_KERNELS_ROW_CHUNK_PASSES_H_

#include <cstdint>

#include "kernels/math/statistics.h"
#include "kernels/math/wide.h"
#include "kernels/row/passes.h"

namespace tessera {

// The first id of `chunk` at which the inclusive weight of the support exceeds r. REQUIRES: r is
// below the chunk's weight.
template <class Passes>
TokenId Resolve(Passes& passes, const Weigher& weigher, const Interval& support, uint32_t chunk,
                uint64_t r) {
  alignas(64) uint64_t weights[kChunkIds];
  const uint32_t n = passes.ChunkWeights(weigher, support, chunk, weights);
  uint32_t i = 0;
  for (uint64_t sum = weights[0]; sum <= r && i + 1 < n; sum += weights[i]) ++i;
  return static_cast<TokenId>(chunk * kChunkIds + i);
}

template <class Passes>
EntropySums Entropy(Passes& passes, const Weigher& weigher, const Interval& support) {
  alignas(64) uint64_t weights[kChunkIds];
  alignas(64) float logits[kChunkIds];
  EntropySums sums;
  for (uint32_t chunk = 0; chunk < passes.row().chunks(); ++chunk) {
    const uint32_t n = passes.ChunkWeights(weigher, support, chunk, weights);
    passes.ChunkLogits(chunk, logits);
    for (uint32_t i = 0; i < n; ++i) {
      if (weights[i] == 0) continue;
      sums.weight += weights[i];
      sums.energy += EntropyTerm(weights[i], DistanceOf(weigher, logits[i]));
    }
  }
  return sums;
}

// The smallest logit of the support; y_max when it is empty.
template <class Passes>
float SupportMin(Passes& passes, const Interval& support, float y_max) {
  alignas(64) float logits[kChunkIds];
  float y_min = y_max;
  for (uint32_t chunk = 0; chunk < passes.row().chunks(); ++chunk) {
    const uint32_t n = passes.ChunkLogits(chunk, logits);
    for (uint32_t i = 0; i < n; ++i) {
      const auto id = static_cast<TokenId>(chunk * kChunkIds + i);
      if (!support.Has(MakeTokenKey(OrderKey(logits[i]), id))) continue;
      if (logits[i] < y_min) y_min = logits[i];
    }
  }
  return y_min;
}

// Count, sum and sum of squares of the support's distances from its largest logit (docs/numerics.md
// 3a, top-n-sigma).
template <class Passes>
SpreadMoments MomentsOf(Passes& passes, const Interval& support, float y_max) {
  alignas(64) float logits[kChunkIds];
  const float y_min = SupportMin(passes, support, y_max);
  SpreadMoments result{MakeSpreadScale(y_max, y_min), y_min, {}};
  Moments& moments = result.moments;
  for (uint32_t chunk = 0; chunk < passes.row().chunks(); ++chunk) {
    const uint32_t n = passes.ChunkLogits(chunk, logits);
    uint64_t squares = 0;  // at most 1,024 * 2^52
    for (uint32_t i = 0; i < n; ++i) {
      const auto id = static_cast<TokenId>(chunk * kChunkIds + i);
      if (!support.Has(MakeTokenKey(OrderKey(logits[i]), id))) continue;
      const uint64_t distance = SpreadOf(result.scale, y_max, logits[i]);
      moments.count += 1;
      moments.sum += distance;
      squares += distance * distance;
    }
    moments.sum_of_squares = moments.sum_of_squares + U128{0, squares};
  }
  return result;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_CHUNK_PASSES_H_

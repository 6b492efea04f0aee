// Passes that look at one chunk's logits or weights at a time, written once for every executor:
// Resolve, Entropy, MomentsOf, Residual and ResolveResidual.
#ifndef TESSERA_KERNELS_ROW_CHUNK_PASSES_H_
#define TESSERA_KERNELS_ROW_CHUNK_PASSES_H_

#include <cstdint>

#include "kernels/math/residual.h"
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

// One side of a residual max(A * P_v - B * Q_v, 0): a law and its multiplier.
struct ResidualLaw {
  Weigher weigher;
  Interval support;
  uint64_t scale = 1;  // A or B, below 2^63
};

// Ids whose residual is 0 whatever the laws say (rejected siblings).
struct ExcludedIds {
  const TokenId* ids = nullptr;
  uint32_t count = 0;

  TESSERA_HD bool Has(TokenId id) const {
    for (uint32_t i = 0; i < count; ++i) {
      if (ids[i] == id) return true;
    }
    return false;
  }
};

// Calls visit(id, residual) for every id of one chunk in id order until it returns false.
template <class Passes, class Visit>
void ForEachResidual(Passes& target, const ResidualLaw& p, Passes& draft, const ResidualLaw& q,
                     const ExcludedIds& excluded, uint32_t chunk, Visit visit) {
  alignas(64) uint64_t target_weights[kChunkIds];
  alignas(64) uint64_t draft_weights[kChunkIds];
  const uint32_t n = target.ChunkWeights(p.weigher, p.support, chunk, target_weights);
  draft.ChunkWeights(q.weigher, q.support, chunk, draft_weights);
  for (uint32_t i = 0; i < n; ++i) {
    const auto id = static_cast<TokenId>(chunk * kChunkIds + i);
    U128 residual{};
    if (target_weights[i] != 0 && !excluded.Has(id)) {
      residual = ResidualWeight(p.scale, target_weights[i], q.scale, draft_weights[i]);
    }
    if (!visit(id, residual)) return;
  }
}

// The residual's sum, and per chunk. REQUIRES: both rows have the same number of columns.
template <class Passes>
U128 Residual(Passes& target, const ResidualLaw& p, Passes& draft, const ResidualLaw& q,
              const ExcludedIds& excluded, U128* chunk_sums) {
  U128 total{};
  for (uint32_t chunk = 0; chunk < target.row().chunks(); ++chunk) {
    U128 sum{};
    ForEachResidual(target, p, draft, q, excluded, chunk, [&](TokenId, const U128& residual) {
      sum = sum + residual;
      return true;
    });
    chunk_sums[chunk] = sum;
    total = total + sum;
  }
  return total;
}

// The first id of `chunk` at which the inclusive residual exceeds r. REQUIRES: r is below the
// chunk's sum.
template <class Passes>
TokenId ResolveResidual(Passes& target, const ResidualLaw& p, Passes& draft, const ResidualLaw& q,
                        const ExcludedIds& excluded, uint32_t chunk, U128 r) {
  U128 sum{};
  TokenId found = -1;
  ForEachResidual(target, p, draft, q, excluded, chunk, [&](TokenId id, const U128& residual) {
    sum = sum + residual;
    found = id;
    return sum <= r;
  });
  return found;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_CHUNK_PASSES_H_

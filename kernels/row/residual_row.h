// What rejected drafts leave of a target law, for a thread that has both rows to itself: summed
// chunk by chunk, and drawn from (kernels/residual_input.h).
#ifndef TESSERA_KERNELS_ROW_RESIDUAL_ROW_H_
#define TESSERA_KERNELS_ROW_RESIDUAL_ROW_H_

#include <algorithm>
#include <cstdint>

#include "kernels/drawn_law.h"
#include "kernels/math/residual.h"
#include "kernels/math/wide.h"
#include "kernels/residual_input.h"
#include "kernels/row/passes.h"

namespace tessera {

// A row and how its ids weigh. Without passes nothing has a weight.
template <class Passes>
struct WeighedRow {
  Passes* passes = nullptr;
  Weigher weigher{0, 1, 0};
  Interval support;
};

template <class Passes>
WeighedRow<Passes> WeighedByLaw(Passes* passes, const DrawnLaw& law) {
  return {passes, MakeWeigher(law.y_max, law.c), {law.lo, law.hi}};
}

// Neither row needs LoadMax.
template <class Passes>
class ResidualRow {
 public:
  // `input` says what is listed, scaled and excluded; its rows are `target` and `draft`.
  ResidualRow(const WeighedRow<Passes>& target, const WeighedRow<Passes>& draft,
              const ResidualInput& input)
      : target_(target), draft_(draft), input_(input) {}

  // The residual's sum, and per chunk.
  U128 Sum(U128* chunk_sums) {
    U128 total{};
    for (uint32_t chunk = 0; chunk < chunks(); ++chunk) {
      U128 sum{};
      if (Weigh(chunk)) {
        for (uint32_t i = 0; i < size_; ++i) sum = sum + Of(i);
      }
      chunk_sums[chunk] = sum;
      total = total + sum;
    }
    return total;
  }

  // The first id of `chunk` at which the inclusive residual exceeds r. REQUIRES: r is below the
  // chunk's sum.
  TokenId Resolve(uint32_t chunk, U128 r) {
    Weigh(chunk);
    uint32_t i = 0;
    for (U128 sum = Of(0); sum <= r; sum = sum + Of(i)) ++i;
    return static_cast<TokenId>(chunk * kChunkIds + i);
  }

  ResidualResult Run() {
    U128 chunk_sums[kMaxVocabulary / kChunkIds];
    ResidualResult result{Sum(chunk_sums), -1};
    if (!input_.draw || result.total == U128{}) return result;
    U128 r = MulHi128(input_.word, result.total);
    uint32_t chunk = 0;
    while (chunk_sums[chunk] <= r) r = r - chunk_sums[chunk++];
    result.token = Resolve(chunk, r);
    return result;
  }

 private:
  uint32_t chunks() const { return target_.passes->row().chunks(); }

  U128 Of(uint32_t i) const {
    return ResidualWeight(input_.a, target_weights_[i], input_.b, draft_weights_[i]);
  }

  // Weighs a chunk's ids on both sides; false where the target has none.
  bool Weigh(uint32_t chunk) {
    size_ = target_.passes->ChunkWeights(target_.weigher, target_.support, chunk, target_weights_);
    uint64_t any = 0;
    for (uint32_t i = 0; i < size_; ++i) any |= target_weights_[i];
    if (any == 0) return false;
    for (const TokenId id : input_.excluded) {
      const uint32_t place = static_cast<uint32_t>(id) - chunk * kChunkIds;
      if (place < size_) target_weights_[place] = 0;
    }
    if (draft_.passes != nullptr) {
      draft_.passes->ChunkWeights(draft_.weigher, draft_.support, chunk, draft_weights_);
      return true;
    }
    ScatterSparse(chunk);
    return true;
  }

  void ScatterSparse(uint32_t chunk) {
    for (uint32_t i = 0; i < size_; ++i) draft_weights_[i] = 0;
    const auto begin = static_cast<TokenId>(chunk * kChunkIds);
    const auto* entry =
        std::lower_bound(input_.sparse.begin(), input_.sparse.end(), begin,
                         [](const WeightedId& listed, TokenId id) { return listed.id < id; });
    for (; entry != input_.sparse.end() && entry->id - begin < static_cast<TokenId>(size_);
         ++entry) {
      draft_weights_[entry->id - begin] = entry->weight;
    }
  }

  const WeighedRow<Passes> target_;
  const WeighedRow<Passes> draft_;
  const ResidualInput& input_;
  uint32_t size_ = 0;
  alignas(64) uint64_t target_weights_[kChunkIds];
  alignas(64) uint64_t draft_weights_[kChunkIds];
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_RESIDUAL_ROW_H_

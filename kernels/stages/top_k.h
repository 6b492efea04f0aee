// Top-k keeps the k likeliest tokens: exactly k, ties by lower id (Fan et al. 2018), or all that
// are tied with the k-th.
#ifndef TESSERA_KERNELS_STAGES_TOP_K_H_
#define TESSERA_KERNELS_STAGES_TOP_K_H_

#include <cstdint>

#include "kernels/stages/cut.h"
#include "kernels/stages/refusal.h"

namespace tessera {

struct TopK {
  int32_t k = 0;  // 0 is off; at or above the support's size it is no filter
  Ties ties = Ties::kSplit;
};

inline Refusal Check(const TopK& stage) {
  if (stage.k >= 0) return {};
  return {"top_k.k", static_cast<double>(stage.k), "at least 0 (0 is off)"};
}

inline bool IsOff(const TopK& stage) { return stage.k == 0; }

inline Cut CutOf(const TopK& stage, float) {
  return {.kind = Cut::Kind::kCount, .ties = stage.ties, .count = static_cast<uint32_t>(stage.k)};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_TOP_K_H_

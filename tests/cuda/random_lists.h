// Lists of token keys, easy and hard, for tests of selection.
#ifndef TESSERA_TESTS_CUDA_RANDOM_LISTS_H_
#define TESSERA_TESTS_CUDA_RANDOM_LISTS_H_

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "kernels/math/key.h"

namespace tessera {

enum class ListKind {
  kNormal,      // logits as of a model
  kTies,        // eight logits in all
  kOneLogit,    // told apart by id alone
  kAscending,   // in id order
  kDescending,  // in id order
  kAllScales,   // of any binary exponent and sign
  kNeighbours,  // consecutive floats, and one far above
  kBadSamples,  // where a search takes its samples stand the largest keys
  kGeometric,   // each logit's order key halfway between the one before and the least
};
inline constexpr int kListKinds = 9;

// Whether a search samples this place of a list, in any round (kernels/cuda/list_select.cuh).
inline bool IsSampled(uint32_t place, uint32_t size) {
  for (uint32_t at = 0; at < 1024; ++at) {
    const bool offset = at % 32 < 3 || (11 <= at % 32 && at % 32 < 14) || at % 32 / 2 == 11;
    if (offset && at * size / 1024 == place) return true;
  }
  return false;
}

inline float RandomLogit(ListKind kind, uint32_t i, uint32_t size, std::mt19937_64& random) {
  std::normal_distribution<float> normal(0, 3);
  switch (kind) {
    case ListKind::kNormal:
      return normal(random);
    case ListKind::kTies:
      return static_cast<float>(random() % 8) * 0.5f;
    case ListKind::kOneLogit:
      return -2.25f;
    case ListKind::kAscending:
      return static_cast<float>(i) * 0.01f;
    case ListKind::kDescending:
      return static_cast<float>(i) * -0.01f;
    case ListKind::kAllScales: {
      const auto magnitude = static_cast<int32_t>(random() % kOrderKeyPosInf);
      return FromOrderKey(random() % 2 == 0 ? magnitude : -magnitude);
    }
    case ListKind::kNeighbours:
      return i == size / 2 ? 30.0f
                           : FromOrderKey(0x41000000 + static_cast<int32_t>(random() % size));
    case ListKind::kBadSamples:
      return IsSampled(i, size) ? 20.0f + normal(random)
                                : FromOrderKey(0x41000000 + static_cast<int32_t>(random() % size));
    case ListKind::kGeometric:
      return FromOrderKey(static_cast<int32_t>(kOrderKeyMaxFinite >> (i % 31)) - 0x3F000000);
  }
  return 0;
}

// Distinct ids of a row of 262,208, ascending: crowded into a few chunks, or of all chunks.
inline std::vector<int32_t> RandomIds(uint32_t size, std::mt19937_64& random) {
  constexpr uint32_t kColumns = 262208;
  const uint32_t spread = random() % 2 == 0 ? kColumns : size + size / 4 + 1;
  const auto from = static_cast<uint32_t>(random() % (kColumns - spread + 1));
  std::set<int32_t> ids;
  while (ids.size() < size) ids.insert(static_cast<int32_t>(from + random() % spread));
  return {ids.begin(), ids.end()};
}

inline std::vector<TokenKey> RandomList(ListKind kind, uint32_t size, std::mt19937_64& random) {
  const std::vector<int32_t> ids = RandomIds(size, random);
  std::vector<TokenKey> keys(size);
  for (uint32_t i = 0; i < size; ++i) {
    keys[i] = MakeTokenKey(OrderKey(RandomLogit(kind, i, size, random)), ids[i]);
  }
  return keys;
}

}  // namespace tessera

#endif  // TESSERA_TESTS_CUDA_RANDOM_LISTS_H_

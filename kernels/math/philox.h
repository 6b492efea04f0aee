// Randomness as a function: Philox4x32-10 of a seed and what the word is for. No state, so a row's
// words do not depend on its place in a batch.
#ifndef TESSERA_KERNELS_MATH_PHILOX_H_
#define TESSERA_KERNELS_MATH_PHILOX_H_

#include <cstdint>

#include "kernels/math/host_device.h"
#include "kernels/math/wide.h"

namespace tessera {

// Separates the uses of one (seed, position, stream, index). Values are part of the contract.
enum class Purpose : uint32_t {
  kDraw = 0,
  kAccept = 1,
  kResidual = 2,
  kXtcCoin = 3,
  kWatermark = 4
};

struct PhiloxWords {
  uint32_t w[4];
};

// Ten rounds; the key is (low, high) of the seed, the counter (c0, c1, c2, c3).
TESSERA_HD inline PhiloxWords Philox4x32(uint64_t seed, uint32_t c0, uint32_t c1, uint32_t c2,
                                         uint32_t c3) {
  uint32_t key0 = static_cast<uint32_t>(seed);
  uint32_t key1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = uint64_t{0xD2511F53u} * c0;
    const uint64_t product1 = uint64_t{0xCD9E8D57u} * c2;
    c0 = static_cast<uint32_t>(product1 >> 32) ^ c1 ^ key0;
    c1 = static_cast<uint32_t>(product1);
    c2 = static_cast<uint32_t>(product0 >> 32) ^ c3 ^ key1;
    c3 = static_cast<uint32_t>(product0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

// All four words, the first lowest.
TESSERA_HD inline U128 RandomWord128(uint64_t seed, uint32_t position, uint32_t stream,
                                     Purpose purpose, uint32_t index) {
  const PhiloxWords words =
      Philox4x32(seed, position, stream, static_cast<uint32_t>(purpose), index);
  return {static_cast<uint64_t>(words.w[3]) << 32 | words.w[2],
          static_cast<uint64_t>(words.w[1]) << 32 | words.w[0]};
}

// The first two words, the first lowest.
TESSERA_HD inline uint64_t RandomWord(uint64_t seed, uint32_t position, uint32_t stream,
                                      Purpose purpose, uint32_t index) {
  return RandomWord128(seed, position, stream, purpose, index).lo;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_PHILOX_H_

// Philox4x32-10 against its published vectors, and the layout of the words drawn from it.
#include "kernels/math/philox.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

struct KnownAnswer {
  uint32_t counter[4];
  uint32_t key[2];
  uint32_t result[4];
};

// The philox4x32 10 lines of Random123's kat_vectors: zeros, ones, the digits of pi.
constexpr KnownAnswer kKnownAnswers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

TEST(PhiloxTest, PublishedVectors) {
  for (const KnownAnswer& known : kKnownAnswers) {
    const uint64_t seed = uint64_t{known.key[1]} << 32 | known.key[0];
    const PhiloxWords words =
        Philox4x32(seed, known.counter[0], known.counter[1], known.counter[2], known.counter[3]);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(words.w[i], known.result[i]) << i;
  }
}

TEST(RandomWordTest, CounterIsPositionStreamPurposeIndexAndWordZeroIsLowest) {
  const uint64_t seed = 0x299f31d0a4093822u;
  const PhiloxWords words = Philox4x32(seed, 5, 6, 3, 8);
  const U128 wide = RandomWord128(seed, 5, 6, Purpose::kXtcCoin, 8);
  EXPECT_EQ(wide.lo, uint64_t{words.w[1]} << 32 | words.w[0]);
  EXPECT_EQ(wide.hi, uint64_t{words.w[3]} << 32 | words.w[2]);
  EXPECT_EQ(RandomWord(seed, 5, 6, Purpose::kXtcCoin, 8), wide.lo);
}

// Values of the enumeration are part of what makes a draw reproducible.
TEST(RandomWordTest, PurposesKeepTheirNumbers) {
  const Purpose purposes[] = {Purpose::kDraw, Purpose::kAccept, Purpose::kResidual,
                              Purpose::kXtcCoin};
  for (uint32_t i = 0; i < 4; ++i) {
    const PhiloxWords words = Philox4x32(9, 1, 2, i, 3);
    EXPECT_EQ(RandomWord(9, 1, 2, purposes[i], 3), uint64_t{words.w[1]} << 32 | words.w[0]);
  }
}

// Ten values of each argument: 100,000 words, all different.
TEST(RandomWordTest, EveryArgumentMatters) {
  std::set<uint64_t> words;
  int drawn = 0;
  for (uint32_t i = 0; i < 100000; ++i, ++drawn) {
    const uint64_t seed = uint64_t{i % 10} << 60;  // also the highest bits of the seed
    words.insert(
        RandomWord(seed, i / 10 % 10, i / 100 % 10, Purpose{i / 1000 % 10}, i / 10000 % 10));
  }
  EXPECT_EQ(words.size(), static_cast<size_t>(drawn));
}

}  // namespace
}  // namespace tessera

// Words of documented generators, against values that their definitions or their first users give.
#include "kernels/random_words.h"

#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace tessera {
namespace {

uint64_t Word(Generator generator, uint64_t seed, uint32_t position, uint64_t state = 0) {
  uint64_t word = 0;
  FillRandomWords(generator, seed, position, state, absl::MakeSpan(&word, 1));
  return word;
}

// [rand.predef]: the 10000th invocation of a default-constructed mt19937 produces 4123659995. Its
// seed is 5489, and outputs 9998 and 9999, counted from 0, are those of draw 4999.
TEST(Mt19937Words, TheTenThousandthOutputIsTheStandards) {
  EXPECT_EQ(Word(Generator::kMt19937, 5489, 4999) >> 32, 4123659995u);
}

// Matsumoto and Nishimura's own table for seed 5489 begins 3499211612, 581869302.
TEST(Mt19937Words, TheFirstOutputIsTheLowHalf) {
  EXPECT_EQ(Word(Generator::kMt19937, 5489, 0), uint64_t{581869302} << 32 | 3499211612);
}

TEST(Mt19937Words, OnlyTheLowHalfOfTheSeedCounts) {
  EXPECT_EQ(Word(Generator::kMt19937, 0xABCDEF0100000000 + 5489, 7),
            Word(Generator::kMt19937, 5489, 7));
}

// A program that draws one uniform double a token gets the same numbers, to the last bit of one.
TEST(Mt19937Words, AreTheStandardLibrarysUniformDoubles) {
  for (const uint32_t seed : {0u, 1u, 42u, 4294967295u}) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (uint32_t position = 0; position < 1000; ++position) {
      const double ours =
          std::ldexp(static_cast<double>(Word(Generator::kMt19937, seed, position)), -64);
      ASSERT_NEAR(ours, uniform(engine), 0x1p-53) << "seed " << seed << ", draw " << position;
    }
  }
}

TEST(Mt19937Words, TheLastPositionIsReached) {
  std::mt19937 engine(9);
  for (uint32_t i = 0; i < 2 * kMaxMt19937Position; ++i) engine();
  const uint64_t low = engine();
  EXPECT_EQ(Word(Generator::kMt19937, 9, kMaxMt19937Position), uint64_t{engine()} << 32 | low);
}

// 1 ^ 1 << 13 = 0x2001; 0x2001 ^ 0x2001 >> 7 = 0x2041; 0x2041 ^ 0x2041 << 17 = 0x40822041.
TEST(Xorshift64Words, AStepByHand) {
  EXPECT_EQ(Word(Generator::kXorshift64, 0, 0, 1), 0x40822041u);
  // The highest bit: << 13 drops it, >> 7 gives bit 56, << 17 drops both.
  EXPECT_EQ(Word(Generator::kXorshift64, 0, 0, uint64_t{1} << 63), 0x8100000000000000u);
}

TEST(Xorshift64Words, TheLastWordIsTheStateToGoOnFrom) {
  std::vector<uint64_t> words(5);
  FillRandomWords(Generator::kXorshift64, /*seed=*/3, /*position=*/8, /*state=*/42,
                  absl::MakeSpan(words));
  uint64_t state = 42;
  for (const uint64_t word : words) {
    EXPECT_EQ(Word(Generator::kXorshift64, 99, 0, state), word) << "seed and position do not count";
    state = word;
  }
}

TEST(Mt19937Words, SeveralWordsAreConsecutiveDraws) {
  std::vector<uint64_t> words(5);
  FillRandomWords(Generator::kMt19937, 3, 8, 0, absl::MakeSpan(words));
  for (uint32_t i = 0; i < 5; ++i) EXPECT_EQ(Word(Generator::kMt19937, 3, 8 + i), words[i]);
}

}  // namespace
}  // namespace tessera

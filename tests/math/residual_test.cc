// Residual weights against 128-bit integers and against exact small laws.
#include "kernels/math/residual.h"

#include <gtest/gtest.h>

#include <random>

namespace tessera {
namespace {

__extension__ typedef unsigned __int128 Wide;

Wide Join(U128 x) { return Wide{x.hi} << 64 | x.lo; }

// 1,000,000 random cases over the whole range of the scalars.
TEST(ResidualWeightTest, EqualsWideArithmetic) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1'000'000; ++i) {
    const uint64_t a = random() >> (1 + random() % 60);
    const uint64_t b = random() % 4 == 0 ? a : random() >> (1 + random() % 60);
    const uint64_t p = (random() >> 20) % ((uint64_t{1} << 44) + 1);
    const uint64_t q = random() % 4 == 0 ? p : random() >> 20;
    const Wide target = Wide{a} * p, draft = Wide{b} * q;
    ASSERT_TRUE(Join(ResidualWeight(a, p, b, q)) == (target > draft ? target - draft : 0));
  }
}

TEST(ResidualWeightTest, LargestInputsStayBelowTheStatedBound) {
  const uint64_t scalar = (uint64_t{1} << 63) - 1;
  const U128 largest = ResidualWeight(scalar, uint64_t{1} << 44, 0, 0);
  EXPECT_LT(largest, (U128{uint64_t{1} << 44, 0}));  // 2^108
  EXPECT_EQ(ResidualWeight(0, uint64_t{1} << 44, scalar, 1), U128{});
}

// Target (5, 3, 2) / 10, draft (1, 1, 2) / 4: max(p - q, 0) is (10, 2, 0) / 40.
TEST(ResidualWeightTest, SmallLaw) {
  EXPECT_EQ(ResidualWeight(4, 5, 10, 1), (U128{0, 10}));
  EXPECT_EQ(ResidualWeight(4, 3, 10, 1), (U128{0, 2}));
  EXPECT_EQ(ResidualWeight(4, 2, 10, 2), (U128{0, 0}));
}

}  // namespace
}  // namespace tessera

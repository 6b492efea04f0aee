// The wide integers of acceptance, against naive naturals, and the fractions that fit scalars.
#include "kernels/verification/ratio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kernels/verification/lower_fraction.h"
#include "tests/verification/fraction.h"

namespace tessera::testing {
namespace {

constexpr uint64_t kMaxScalar = (uint64_t{1} << 63) - 1;

Natural Plain(const U256& a) {
  return Natural::OfWords({a.words[0], a.words[1], a.words[2], a.words[3]});
}

// Of up to `bits` bits, with long runs of equal ones, where carries go wrong.
U256 RandomWide(std::mt19937_64* random, int bits) {
  U256 value;
  for (uint64_t& word : value.words) {
    const uint64_t bits_of_word = (*random)();
    const uint64_t kind = (*random)() % 4;
    word = kind == 0 ? 0 : kind == 1 ? ~uint64_t{0} : bits_of_word;
  }
  const int width = 1 + static_cast<int>((*random)() % static_cast<uint64_t>(bits));
  for (int i = width; i < 256; ++i) value.words[i / 64] &= ~(uint64_t{1} << (i % 64));
  return value;
}

// 20,000 random pairs.
TEST(WideIntegers, AgreeWithNaiveOnes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const U256 a = RandomWide(&random, 191);
    const U256 b = RandomWide(&random, 191);
    const uint64_t word = RandomWide(&random, 64).words[0];
    EXPECT_EQ(Plain(a + b), Plain(a) + Plain(b));
    EXPECT_EQ(a < b, Plain(a) < Plain(b));
    EXPECT_EQ(a <= b, !(Plain(b) < Plain(a)));
    if (b <= a) {
      EXPECT_EQ(Plain(a - b), Plain(a) - Plain(b));
    }
    EXPECT_EQ(Plain(a * word), Plain(a) * Natural(word));
    EXPECT_EQ(Plain(a << 64), Plain(a).ShiftedUp(64));
    EXPECT_EQ(Plain(a << 13), Plain(a).ShiftedUp(13));
    EXPECT_EQ(BitWidth(a), Plain(a).Bits());
    if (b == U256()) continue;
    Natural rest = Plain(a);
    const Natural quotient = rest.DivideBy(Plain(b));
    EXPECT_EQ(Plain(Divide(a, b).quotient), quotient);
    EXPECT_EQ(Plain(Divide(a, b).rest), rest);
    EXPECT_NEAR(ToDouble(a), Fraction(Plain(a), Natural(1)).Approximately(), 0x1p-50 * ToDouble(a));
    if (a == U256()) continue;
    EXPECT_EQ(WordBelow(word, {a, b}),
              Natural(word) * Plain(b) < Plain(a) * Natural(1).ShiftedUp(64));
  }
}

TEST(Ratios, AreComparedStrictly) {
  const uint64_t half = uint64_t{1} << 63;
  EXPECT_FALSE(WordBelow(0, {}));  // probability 0 never accepts
  EXPECT_TRUE(WordBelow(0, {uint64_t{1}, U256(uint64_t{1}) << 64}));
  EXPECT_FALSE(WordBelow(1, {uint64_t{1}, U256(uint64_t{1}) << 64}));
  EXPECT_TRUE(WordBelow(half - 1, {uint64_t{1}, uint64_t{2}}));
  EXPECT_FALSE(WordBelow(half, {uint64_t{1}, uint64_t{2}}));
  EXPECT_TRUE(WordBelow(~uint64_t{0}, {uint64_t{1}, uint64_t{1}}));  // probability 1 always does
  EXPECT_TRUE(WordBelow(~uint64_t{0}, {uint64_t{3}, uint64_t{2}}));
  EXPECT_EQ(ProbabilityOf({uint64_t{3}, uint64_t{2}}), 1.0);
  EXPECT_EQ(ProbabilityOf({uint64_t{1}, uint64_t{4}}), 0.25);
  EXPECT_EQ(ProbabilityOf({}), 0.0);
}

// The best fraction from below, by walking the Stern-Brocot tree a step at a time.
Scalars SlowLowerFraction(const Natural& a, const Natural& b) {
  uint64_t low_a = 0, low_b = 1, high_a = 1, high_b = 0;
  while (low_a + high_a <= kMaxScalar && low_b + high_b <= kMaxScalar) {
    const uint64_t middle_a = low_a + high_a, middle_b = low_b + high_b;
    const bool below = !(a * Natural(middle_b) < b * Natural(middle_a));
    (below ? low_a : high_a) = middle_a;
    (below ? low_b : high_b) = middle_b;
  }
  return {low_a, low_b};
}

// 20,000 random pairs.
TEST(LowerFractions, AreCloseFromBelow) {
  std::mt19937_64 random(2);
  int compared = 0;
  for (int i = 0; i < 20000; ++i) {
    const U256 a = RandomWide(&random, 235);
    const U256 b = RandomWide(&random, 235);
    if (a == U256() || b == U256() || std::abs(BitWidth(a) - BitWidth(b)) > 61) continue;
    const Scalars scalars = LowerFraction(a, b);
    ASSERT_GE(std::min(scalars.a, scalars.b), 1u);
    ASSERT_LE(std::max(scalars.a, scalars.b), kMaxScalar);
    const Fraction exact(Plain(a), Plain(b));
    const Fraction found(scalars.a, scalars.b);
    ASSERT_LE(found, exact);
    ASSERT_LT(Distance(found, exact), exact * PowerOfHalf(62));
    ++compared;
  }
  EXPECT_GT(compared, 5000);
}

// 1,000 random pairs of 200 bits.
TEST(LowerFractions, AreTheBestFromBelow) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    U256 a, b;
    for (int word = 0; word < 3; ++word) {
      a.words[word] = random();
      b.words[word] = random();
    }
    const Scalars scalars = LowerFraction(a, b);
    const Scalars slow = SlowLowerFraction(Plain(a), Plain(b));
    ASSERT_EQ(Fraction(scalars.a, scalars.b), Fraction(slow.a, slow.b));
    ASSERT_GT(std::max(scalars.a, scalars.b), kMaxScalar / 2);  // the finest units
  }
}

TEST(LowerFractions, KeepWhatFits) {
  const Scalars kept = LowerFraction(uint64_t{6}, kMaxScalar);
  EXPECT_EQ(kept.a, 6u);
  EXPECT_EQ(kept.b, kMaxScalar);
}

TEST(LowerFractions, AreScaledUp) {
  const Scalars scaled = LowerFraction(U256(uint64_t{3}) << 70, U256(uint64_t{7}) << 70);
  EXPECT_EQ(Fraction(scaled.a, scaled.b), Fraction(3, 7));
  EXPECT_GT(scaled.b, kMaxScalar - 7);
}

TEST(LowerFractions, MayBeZeroButForResiduals) {
  const U256 most = U256(uint64_t{1}) << 100;
  EXPECT_EQ(LowerFraction(uint64_t{1}, most).a, 0u);
  EXPECT_EQ(ResidualScalars(uint64_t{1}, most).a, 1u);
  EXPECT_EQ(ResidualScalars(uint64_t{1}, most).b, kMaxScalar);
}

}  // namespace
}  // namespace tessera::testing

// The ends of the order of floats (key_exhaustive_test.cc has the rest); the order of token keys is
// larger logit first, then lower id.
#include "kernels/math/key.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>

namespace tessera {
namespace {

TEST(OrderKeyTest, Landmarks) {
  EXPECT_EQ(OrderKey(0.0f), 0);
  EXPECT_EQ(OrderKey(-0.0f), 0);
  EXPECT_EQ(OrderKey(FloatOf(1)), 1);
  EXPECT_EQ(OrderKey(-FloatOf(1)), -1);
  EXPECT_EQ(OrderKey(INFINITY), kOrderKeyPosInf);
  EXPECT_EQ(OrderKey(-INFINITY), kOrderKeyNegInf);
  EXPECT_EQ(OrderKey(0x1.fffffep127f), kOrderKeyMaxFinite);
  EXPECT_EQ(OrderKey(-0x1.fffffep127f), kOrderKeyMinFinite);
  EXPECT_EQ(BitsOf(FromOrderKey(0)), 0u);
  EXPECT_EQ(FromOrderKey(kOrderKeyNegInf), -INFINITY);
}

TEST(OrderKeyTest, EveryNanIsOutsideTheRange) {
  for (uint32_t bits = 0x7F800001u; bits <= 0x7FFFFFFFu; ++bits) {
    ASSERT_GT(OrderKey(FloatOf(bits)), kOrderKeyPosInf);
    ASSERT_LT(OrderKey(FloatOf(bits | 0x80000000u)), kOrderKeyNegInf);
  }
}

// 4,000,000 random pairs, half of them ties of the logit.
TEST(TokenKeyTest, LargerLogitThenLowerId) {
  std::mt19937 random(11);
  const auto draw_logit = [&] {
    const uint32_t pattern = static_cast<uint32_t>(random());
    return std::isnan(FloatOf(pattern)) ? -INFINITY : FloatOf(pattern);
  };
  for (int i = 0; i < 4'000'000; ++i) {
    const float y1 = draw_logit();
    const float y2 = i % 2 == 0 ? y1 : draw_logit();
    const int32_t id1 = static_cast<int32_t>(random() >> 1);
    const int32_t id2 = static_cast<int32_t>(random() % 100 == 0 ? id1 : random() % (1 << 19));
    const TokenKey key1 = MakeTokenKey(OrderKey(y1), id1);
    const TokenKey key2 = MakeTokenKey(OrderKey(y2), id2);
    ASSERT_EQ(key1 > key2, std::make_tuple(y1, -int64_t{id1}) > std::make_tuple(y2, -int64_t{id2}));
    ASSERT_EQ(IdOf(key1), id1);
    ASSERT_EQ(OrderKeyOf(key1), OrderKey(y1));
  }
}

TEST(TokenKeyTest, ZerosAreOneLogit) {
  EXPECT_GT(MakeTokenKey(OrderKey(-0.0f), 3), MakeTokenKey(OrderKey(0.0f), 4));
  EXPECT_GT(MakeTokenKey(OrderKey(0.0f), 3), MakeTokenKey(OrderKey(-0.0f), 4));
}

}  // namespace
}  // namespace tessera

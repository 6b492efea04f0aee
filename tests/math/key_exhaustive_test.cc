// The order of keys is the order of floats, for every float.
#include <gtest/gtest.h>

#include "kernels/math/key.h"
#include "tests/math/exhaustive.h"

namespace tessera {
namespace {

// Keys from -inf to +inf step through strictly increasing floats and back. There are as many keys
// as floats that are not NaN, with the two zeros as one: so every float is met.
TEST(OrderKeyTest, EveryFloatInOrder) {
  TESSERA_SKIP_UNLESS_EXHAUSTIVE();
  int64_t wrong = OrderKey(FromOrderKey(kOrderKeyNegInf)) != kOrderKeyNegInf;
  float previous = FromOrderKey(kOrderKeyNegInf);
  for (int32_t key = kOrderKeyNegInf + 1; key <= kOrderKeyPosInf; ++key) {
    const float y = FromOrderKey(key);
    wrong += !(previous < y) + (OrderKey(y) != key);
    previous = y;
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tessera

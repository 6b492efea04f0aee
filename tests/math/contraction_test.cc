// Fails in a build whose compiler may fuse a product with a later sum: the flags of
// cmake/options.cmake (-ffp-contract=off) are part of the arithmetic's definition.
#include <gtest/gtest.h>

#include "kernels/math/host_device.h"
#include "tests/math/golden_weight_table.h"

namespace tessera {
namespace {

// The shape of a frequency penalty. One expression, which is what a compiler may contract.
float Penalized(float y, float f, float count) { return y - f * count; }

TEST(ContractionTest, ProductIsRoundedBeforeTheDifference) {
  for (const GoldenPenalty& row : kGoldenPenalties) {
    EXPECT_EQ(BitsOf(Penalized(FloatOf(row.y), FloatOf(row.f), FloatOf(row.count))), row.result)
        << FloatOf(row.y) << " - " << FloatOf(row.f) << " * " << FloatOf(row.count)
        << ": was this built without -ffp-contract=off?";
  }
}

// The table can tell: the fused result differs in every row.
TEST(ContractionTest, FusedResultDiffers) {
  for (const GoldenPenalty& row : kGoldenPenalties) {
    EXPECT_NE(BitsOf(Fma(-FloatOf(row.f), FloatOf(row.count), FloatOf(row.y))), row.result);
  }
}

// Subnormals are neither flushed on the way in nor on the way out.
TEST(ContractionTest, SubnormalsAreKept) {
  volatile float smallest = FloatOf(1);
  EXPECT_EQ(BitsOf(smallest + smallest), 2u);
  volatile float smallest_normal = 0x1p-126f;
  EXPECT_EQ(BitsOf(smallest_normal * 0.5f), 0x00400000u);
}

}  // namespace
}  // namespace tessera

// y - f * count through the library: the product is rounded before it is subtracted. Values from
// the rational oracle in tests/math/golden_weight.py, chosen so that a contracted build differs.
#include "gtest/gtest.h"
#include "kernels/math/host_device.h"
#include "kernels/row/edits.h"
#include "tests/math/golden_weight_table.h"

namespace tessera {
namespace {

TEST(EditsGoldenTest, FrequencyPenaltyRoundsItsProduct) {
  for (const GoldenPenalty& golden : kGoldenPenalties) {
    const Edit edit{Edit::Kind::kFrequency, PenaltyScope::kOutput, FloatOf(golden.f)};
    const float count = FloatOf(golden.count);
    const float y = Penalised(edit, FloatOf(golden.y), static_cast<uint64_t>(count));
    EXPECT_EQ(BitsOf(y), golden.result)
        << FloatOf(golden.y) << " - " << edit.value << " * " << count;
  }
}

}  // namespace
}  // namespace tessera

// The claims of gpu_bench: which rows they speak of, and when they are short.
#include <gtest/gtest.h>

#include "bench/gpu/table.h"

namespace tessera::bench {
namespace {

std::string ClaimsOf(const std::vector<Measured>& table) {
  ::testing::internal::CaptureStdout();
  PrintClaims(table);
  std::fflush(stdout);
  return ::testing::internal::GetCapturedStdout();
}

Measured Real(int chain, int64_t rows, double microseconds) {
  return {{Shape::kReal, DType::kBfloat16, 128256, chain, rows}, microseconds};
}

TEST(GpuTable, AClaimIsTheSlowestChainAgainstItsGoal) {
  EXPECT_EQ(ClaimsOf({Real(0, 64, 11), Real(1, 64, 15.5), Real(2, 64, 12)}),
            "claim: cuda_us_B64_bf16 = 15.50 (limit 16.00) ok\n");
  EXPECT_EQ(ClaimsOf({Real(0, 1, 9.25), Real(0, 256, 40)}),
            "claim: cuda_us_B1_bf16 = 9.25 (limit 9.00) short\n"
            "claim: cuda_us_B256_bf16 = 40.00 (limit 40.00) ok\n");
}

TEST(GpuTable, NothingElseIsClaimed) {
  Measured flat = Real(0, 64, 100);
  flat.one.shape = Shape::kFlat;
  Measured wide = Real(0, 64, 100);
  wide.one.dtype = DType::kFloat32;
  Measured other = Real(0, 64, 100);
  other.one.columns = 151936;
  EXPECT_EQ(ClaimsOf({flat, wide, other, Real(0, 8, 100)}), "");
}

TEST(GpuTable, TheFloorIsReadingOnce) {
  const Case one = Real(0, 64, 0).one;
  // 64 x 128,256 x 2 bytes at 4,300 GB/s.
  EXPECT_NEAR(FloorMicroseconds(one, {.read = 4300}), 3.818, 0.001);
}

TEST(GpuTable, JsonHoldsNoBrokenText) {
  const std::string json = TableAsJson("a \"b\" \\ c", {}, {1, 2, 3}, {});
  EXPECT_NE(json.find("\"device\": \"a _b_ _ c\""), std::string::npos) << json;
}

}  // namespace
}  // namespace tessera::bench

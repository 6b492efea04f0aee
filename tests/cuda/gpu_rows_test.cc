// A device against the scalar executor, bit by bit, every kernel and cluster size that it offers.
//
// TESSERA_GPU_SMALL_ROWS (default 1,000,000) and TESSERA_GPU_FULL_ROWS (2,000) say how many rows
// are compared; TESSERA_GPU_DIVIDE (1) divides their widths, for a device that is emulated;
// TESSERA_GPU_SEED (1) where they start.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "tests/cuda/gpu_comparison.h"
#include "tests/cuda/gpu_shapes.h"
#include "tests/support/hard_rows.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

constexpr int64_t kSmallColumns = 4096;
constexpr int64_t kSmallBatch = 250;
constexpr int64_t kFullColumns[] = {128256, 151936, 262208};
constexpr int64_t kFullBatch = 4;

class GpuRows : public ::testing::Test {
 protected:
  void SetUp() override {
    TESSERA_NEEDS_DEVICE();
    backends_ = GpuBackends();
    divide_ = FromEnvironment("TESSERA_GPU_DIVIDE", 1);
    first_seed_ = static_cast<uint64_t>(FromEnvironment("TESSERA_GPU_SEED", 1));
  }

  std::string CompareBackends(const std::vector<RowSpec>& specs, DType dtype, int64_t vocab_size,
                              Placement placement) {
    const SpecBatch batch(specs, dtype, vocab_size, placement);
    const std::vector<std::vector<uint32_t>> expected = ScalarBits(batch.batch());
    for (const std::unique_ptr<Backend>& backend : backends_) {
      const std::string complaint = Compare(*backend, batch.batch(), specs, expected);
      if (!complaint.empty()) return complaint;
    }
    return "";
  }

  std::string CompareSmall(uint64_t seed, int64_t rows);
  std::string CompareFull(int64_t number, int64_t rows);

  // Judges `rows` in batches and says how many there were.
  template <class CompareBatch>
  void JudgeRows(int64_t rows, int64_t rows_per_batch, CompareBatch compare) {
    const int64_t batches = (rows + rows_per_batch - 1) / rows_per_batch;
    EXPECT_EQ(JudgeAll(batches,
                       [&](int64_t number) {
                         const int64_t left = rows - number * rows_per_batch;
                         return compare(number, std::min(left, rows_per_batch));
                       }),
              "");
    std::printf("%lld rows on each of %zu kernels and sizes\n", static_cast<long long>(rows),
                backends_.size());
  }

  std::vector<std::unique_ptr<Backend>> backends_;
  int64_t divide_ = 1;
  uint64_t first_seed_ = 1;
};

// Rows of one width. All chains, masks, edits and reports of the generator; every eighth batch has
// rows whose cuts lie outside short lists.
std::string GpuRows::CompareSmall(uint64_t seed, int64_t rows) {
  Random random(seed);
  const DType dtype = random.Pick(kAllDTypes);
  const int64_t most = kSmallColumns / divide_;
  const bool hard = random.OneIn(8);
  // As many rows below an eighth of the widest as above.
  int64_t vocab_size = 1 + random.Below(random.OneIn(2) ? most : std::max<int64_t>(1, most / 8));
  if (hard) vocab_size = HardWidth(random) / divide_ + 1;
  const int64_t padding = random.OneIn(3) && !hard ? random.Below(10) : 0;
  std::vector<RowSpec> specs;
  for (int64_t i = 0; i < rows; ++i) {
    specs.push_back(
        hard ? HardRow(random, vocab_size, dtype)
             : RandomRow(random, random.Pick(kAllShapes), vocab_size + padding, vocab_size, dtype));
  }
  const std::string complaint =
      CompareBackends(specs, dtype, vocab_size, {random.Below(9), random.Below(9)});
  return complaint.empty() ? "" : absl::StrCat("batch seed ", seed, ": ", complaint);
}

// Every width in every dtype within nine numbers.
std::string GpuRows::CompareFull(int64_t number, int64_t rows) {
  const uint64_t seed = first_seed_ + static_cast<uint64_t>(number);
  Random random(~seed);
  const int64_t vocab_size = kFullColumns[number % 3] / divide_;
  const DType dtype = kAllDTypes[number / 3 % 3];
  std::vector<RowSpec> specs;
  for (int64_t i = 0; i < rows; ++i) {
    specs.push_back(RandomRow(random, random.Pick(kAllShapes), vocab_size, vocab_size, dtype));
  }
  const std::string complaint = CompareBackends(specs, dtype, vocab_size, {random.Below(9), 0});
  return complaint.empty() ? "" : absl::StrCat("batch ", number, ": ", complaint);
}

TEST_F(GpuRows, SmallRowsEqualTheScalarExecutor) {
  JudgeRows(FromEnvironment("TESSERA_GPU_SMALL_ROWS", 1000000), kSmallBatch,
            [&](int64_t number, int64_t rows) {
              return CompareSmall(first_seed_ + static_cast<uint64_t>(number), rows);
            });
}

TEST_F(GpuRows, FullRowsEqualTheScalarExecutor) {
  JudgeRows(FromEnvironment("TESSERA_GPU_FULL_ROWS", 2000), kFullBatch,
            [&](int64_t number, int64_t rows) { return CompareFull(number, rows); });
}

}  // namespace
}  // namespace tessera::testing

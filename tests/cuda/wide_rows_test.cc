// Rows of real widths on every shape of the CUDA backend, under many schedules: bit for bit as the
// scalar executor, whose results the oracle judges.
//
// TESSERA_CUDA_SCHEDULES sets how many schedules a narrow batch runs under on each shape (default
// 16).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>

#include "tests/cuda/emulated_executors.h"
#include "tests/cuda/scheduled_backend.h"
#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/hard_rows.h"

namespace tessera::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

using Bits = std::vector<std::vector<uint32_t>>;

Bits BitsOfRun(Backend& backend, const Batch& batch) {
  BatchResult results;
  const absl::Status status = backend.Run(batch, &results);
  EXPECT_TRUE(status.ok()) << backend.name() << ": " << status;
  Bits bits;
  for (const RowResult& row : results.rows()) bits.push_back(BitsOf(row));
  return bits;
}

// The scalar executor's bits, after the oracle has judged them.
Bits JudgedBits(const std::vector<RowSpec>& rows, const Batch& batch) {
  BatchResult results;
  EXPECT_TRUE(SharedBackend({"scalar"}).Run(batch, &results).ok());
  Bits bits;
  for (size_t i = 0; i < rows.size(); ++i) {
    const ExpectedRow expected(rows[i], batch.vocab_size);
    EXPECT_EQ(expected.Compare(results.rows()[i]), "") << Describe(rows[i]);
    bits.push_back(BitsOf(results.rows()[i]));
  }
  return bits;
}

// REQUIRES: a shape of EmulatedShapes().
void ExpectBits(const Bits& wanted, const Batch& batch, const std::vector<RowSpec>& rows,
                const std::string& shape) {
  const Bits got = BitsOfRun(SharedBackend({shape}), batch);
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i], wanted[i]) << shape << ", row " << i << " of " << batch.vocab_size << ": "
                                 << Describe(rows[i]);
  }
}

// A top-p that its list does not hold, a wide top-k, ranks in the whole row; an edited row.
std::vector<RowSpec> RowsOfShape(Random& random, Shape shape, int64_t width, DType dtype) {
  std::vector<RowSpec> rows(4);
  for (RowSpec& row : rows) {
    row.logits = RandomLogits(random, shape, width, dtype);
    row.seed = random.Word();
    row.samples = 2;
  }
  rows[0].chain.stages = {Temperature{1.3}, TopP{0.95}};
  rows[0].logprob_modes = Bit(LogprobMode::kProcessed) | Bit(LogprobMode::kRaw);
  rows[0].entropy_modes = Bit(LogprobMode::kProcessed);
  rows[0].top_logprobs = 20;
  rows[1].chain.stages = {TopK{50}, TopP{0.9}};
  rows[2].chain.stages = {LogitBias{}, TopK{static_cast<int32_t>(width / 3 + 1)}, TopP{0.7, true}};
  rows[2].bias = {{static_cast<TokenId>(width - 1), 2.5f}, {0, -kInf}};
  rows[2].banned = {static_cast<TokenId>(width / 2)};
  rows[3].score_ids = {0, static_cast<TokenId>(width / 2), static_cast<TokenId>(width - 1)};
  rows[3].logprob_modes = Bit(LogprobMode::kTempered);
  return rows;
}

class WideRows : public ::testing::TestWithParam<Shape> {};

// Each width in one dtype, on two shapes of launch: over all shapes of rows every pair comes up.
TEST_P(WideRows, EqualTheScalarExecutor) {
  const int turn = static_cast<int>(GetParam());
  Random random(7000 + static_cast<uint64_t>(turn));
  int at = turn;
  const auto shapes = EmulatedShapes();
  for (int64_t width : {128256, 151936, 262208}) {
    const DType dtype = kAllDTypes[at % 3];
    const std::vector<RowSpec> rows = RowsOfShape(random, GetParam(), width, dtype);
    const SpecBatch batch(rows, dtype, width, {random.Below(9), random.Below(9)});
    const Bits wanted = JudgedBits(rows, batch.batch());
    for (int i = 0; i < 2; ++i, at += 3) {
      ExpectBits(wanted, batch.batch(), rows, shapes[at % shapes.size()].Name());
      if (HasFatalFailure()) return;
    }
    ++at;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WideRows, ::testing::ValuesIn(kAllShapes),
                         [](const auto& param) { return ShapeName(param.param); });

// Every width around the sizes of vectors, warps, chunks and pieces, every dtype and every shape of
// launch, at any alignment.
TEST(Rows, OfEveryAwkwardWidthEqualTheScalarExecutor) {
  Random random(7100);
  int turn = 0;
  size_t at = 0;
  for (int64_t width :
       {1, 2, 7, 8, 9, 31, 33, 255, 257, 1023, 1024, 1025, 4095, 4096, 4097, 8193}) {
    for (DType dtype : kAllDTypes) {
      std::vector<RowSpec> rows;
      for (int i = 0; i < 5; ++i) {
        rows.push_back(RandomRow(random, kAllShapes[at++ % 9], width, width, dtype));
      }
      const SpecBatch batch(rows, dtype, width, {random.Below(9), random.Below(9)});
      const Bits wanted = JudgedBits(rows, batch.batch());
      for (const EmulatedShape& shape : ShapesOfTurn(turn++)) {
        ExpectBits(wanted, batch.batch(), rows, shape.Name());
        if (HasFatalFailure()) return;
      }
    }
  }
}

// More rows than the device holds clusters or row groups, of all kinds.
TEST(Rows, MoreThanTheDeviceHoldsEqualTheScalarExecutor) {
  Random random(7200);
  constexpr int64_t kWidth = 2500;
  std::vector<RowSpec> rows;
  for (int i = 0; i < 36; ++i) {
    rows.push_back(RandomRow(random, kAllShapes[i % 9], kWidth, kWidth, DType::kBfloat16));
  }
  for (const EmulatedShape& shape : EmulatedShapes()) {
    // The device holds 16 blocks.
    const std::vector<RowSpec> some(rows.begin(), rows.begin() + 4 + 32 / shape.every);
    const SpecBatch batch(some, DType::kBfloat16, kWidth);
    ExpectBits(JudgedBits(some, batch.batch()), batch.batch(), some, shape.Name());
    if (HasFatalFailure()) return;
  }
}

// Cuts outside the list of 2,048 keys: flat rows, plateaus of ties, a support that is longer than
// the list and shorter than the count.
std::vector<RowSpec> RowsThatOverflow(int64_t width) {
  std::vector<RowSpec> rows(6);
  Random random(7300);
  for (size_t i = 0; i < rows.size(); ++i) {
    RowSpec& row = rows[i];
    row.logits =
        RandomLogits(random, i % 2 == 0 ? Shape::kFlat : Shape::kFewValues, width, DType::kFloat32);
    row.seed = i;
    row.samples = 3;
    row.logprob_modes = Bit(LogprobMode::kProcessed);
    row.top_logprobs = kMaxTopLogprobs;
    row.score_ids = {0, 17, static_cast<TokenId>(width - 1)};
  }
  rows[0].chain.stages = {TopP{0.6}};
  rows[1].chain.stages = {TopP{0.6}};
  rows[2].chain.stages = {TopK{6000}, TopK{9000}, TopP{0.9}};
  rows[3].chain.stages = {TopK{7000}, TopP{0.8, true}, MinP{0.2}};
  rows[4].chain.stages = {TopP{0.9}, Temperature{0.5}, TopP{0.9}, TopK{5000}};
  rows[5].logits.assign(static_cast<size_t>(width), -0.75f);
  rows[5].chain.stages = {TopP{0.75}, TopK{5000}};
  return rows;
}

TEST(Rows, WhoseCutsNoListHoldsEqualTheScalarExecutor) {
  constexpr int64_t kWidth = 13000;
  const std::vector<RowSpec> rows = RowsThatOverflow(kWidth);
  const SpecBatch batch(rows, DType::kFloat32, kWidth);
  const Bits wanted = JudgedBits(rows, batch.batch());
  for (const EmulatedShape& shape : EmulatedShapes()) {
    ExpectBits(wanted, batch.batch(), rows, shape.Name());
    if (HasFatalFailure()) return;
  }
}

TEST(Rows, GiveTheSameBitsUnderEverySchedule) {
  const char* value = std::getenv("TESSERA_CUDA_SCHEDULES");
  const int schedules = value != nullptr ? std::atoi(value) : 16;
  Random random(7400);
  constexpr int64_t kWidth = 1700;
  std::vector<RowSpec> rows;
  for (int i = 0; i < 6; ++i) rows.push_back(HardRow(random, kWidth, DType::kFloat16));
  for (int i = 0; i < 4; ++i) {
    rows.push_back(RandomRow(random, kAllShapes[i], kWidth, kWidth, DType::kFloat16));
  }
  const SpecBatch batch(rows, DType::kFloat16, kWidth);
  const Bits wanted = JudgedBits(rows, batch.batch());
  for (int schedule = 0; schedule < schedules; ++schedule) {
    for (const EmulatedShape& shape : ShapesOfTurn(schedule)) {
      ExpectBits(wanted, batch.batch(), rows, shape.Name());
      if (HasFatalFailure()) return;
    }
  }
  std::printf("%zu rows under %d schedules of each of the cheaper shapes\n", rows.size(),
              schedules);
}

}  // namespace
}  // namespace tessera::testing

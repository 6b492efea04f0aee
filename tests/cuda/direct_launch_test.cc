// The kernels' launch with memory and shapes that the host side never chooses: rows at any address,
// fewer rows in flight, rows that shared memory does not hold.
#include "tests/cuda/direct_launch.h"

#include <gtest/gtest.h>

#include "tests/simt/options.h"
#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

std::vector<RowSpec> SomeRows(uint64_t seed, int count, int64_t width, DType dtype) {
  Random random(seed);
  std::vector<RowSpec> rows;
  for (int i = 0; i < count; ++i) {
    rows.push_back(RandomRow(random, kAllShapes[i % 9], width, width, dtype));
  }
  return rows;
}

void ExpectScalarBits(DirectLaunch& launch, const std::vector<RowSpec>& rows, const Batch& batch) {
  static uint64_t seed = 0;
  simt::emulator::Options().seed = seed++;
  BatchResult wanted, got;
  ASSERT_TRUE(SharedBackend({"scalar"}).Run(batch, &wanted).ok());
  const absl::Status status = launch.Run(batch, &got);
  ASSERT_TRUE(status.ok()) << launch.name() << ": " << status;
  for (size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(BitsOf(got.rows()[i]), BitsOf(wanted.rows()[i]))
        << launch.name() << ", row " << i << " of " << batch.vocab_size << ": "
        << Describe(rows[i]);
  }
}

TEST(DirectLaunch, ReadsRowsAtAnyAddress) {
  int turn = 0;
  constexpr int64_t kWidth = 2053;
  for (const DType dtype : kAllDTypes) {
    const std::vector<RowSpec> rows = SomeRows(1, 5, kWidth, dtype);
    for (const Placement placement : {Placement{0, 1}, Placement{3, 0}, Placement{2, 5}}) {
      const SpecBatch specs(rows, dtype, kWidth, placement);
      for (const EmulatedShape& shape : ShapesOfTurn(turn++)) {
        DirectLaunch launch(shape);
        ExpectScalarBits(launch, rows, specs.batch());
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(DirectLaunch, RunsAnyNumberOfRowsInAnyNumberOfGroups) {
  int turn = 0;
  constexpr int64_t kWidth = 1100;
  for (const int count : {1, 2, 7}) {
    const std::vector<RowSpec> rows = SomeRows(2, count, kWidth, DType::kBfloat16);
    const SpecBatch specs(rows, DType::kBfloat16, kWidth);
    for (const uint32_t groups : {1u, 2u, 3u}) {
      for (const EmulatedShape& shape : ShapesOfTurn(turn++)) {
        DirectLaunch launch(shape);
        launch.WithRowGroups(groups);
        ExpectScalarBits(launch, rows, specs.batch());
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(DirectLaunch, ReadsRowsThatSharedMemoryDoesNotHold) {
  int turn = 0;
  for (const int64_t width : {int64_t{300}, int64_t{5003}}) {
    for (const DType dtype : kAllDTypes) {
      const std::vector<RowSpec> rows = SomeRows(3, 6, width, dtype);
      const SpecBatch specs(rows, dtype, width, {1, 0});
      for (const EmulatedShape& shape : ShapesOfTurn(turn++)) {
        DirectLaunch launch(shape);
        launch.WithoutSlices();
        ExpectScalarBits(launch, rows, specs.batch());
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::testing

// nvcc's PTX of the production kernels, executed in their place, against the scalar executor: bit
// for bit, over cluster sizes, formats, shapes of rows and schedules.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/cuda/direct_launch.h"
#include "tests/simt/options.h"
#include "tests/simt/ptx/ptx_substitute.h"
#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

#ifndef TESSERA_PTX_DIR
#define TESSERA_PTX_DIR ""
#endif

namespace tessera::cuda {
// Of kernels.cu.
void ClusterKernel(DeviceBatch batch, uint32_t slice_bytes);
void FallbackMaxKernel(DeviceBatch batch, uint32_t first_row);
void FallbackFinishKernel(DeviceBatch batch, uint32_t first_row);
}  // namespace tessera::cuda

namespace tessera::testing {
namespace {

class KernelsPtx : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
#ifdef TESSERA_NO_PTX
    GTEST_SKIP() << "no PTX was built: " << TESSERA_NO_PTX;
#endif
    const simt::ptx::Module module =
        simt::ptx::ParseFile(TESSERA_PTX_DIR "/kernels_ptx_" + std::to_string(GetParam()) + ".ptx");
    substitution_.Add(&cuda::ClusterKernel, module.Find("ClusterKernel"));
    substitution_.Add(&cuda::FallbackMaxKernel, module.Find("FallbackMaxKernel"));
    substitution_.Add(&cuda::FallbackFinishKernel, module.Find("FallbackFinishKernel"));
  }
  void TearDown() override { simt::emulator::Options() = simt::emulator::RunOptions{}; }

  // Clusters came with sm_90.
  bool Has(const EmulatedShape& shape) const {
    return GetParam() >= 90 || std::string(shape.kernel) != "cluster";
  }

  void ExpectScalarBits(const EmulatedShape& shape, const std::vector<RowSpec>& rows,
                        const SpecBatch& specs) {
    simt::emulator::Options().seed = seed_++;
    BatchResult wanted, got;
    ASSERT_TRUE(SharedBackend({"scalar"}).Run(specs.batch(), &wanted).ok());
    DirectLaunch launch(shape);
    const uint64_t launches = substitution_.launches();
    const absl::Status status = launch.Run(specs.batch(), &got);
    ASSERT_TRUE(status.ok()) << launch.name() << ": " << status;
    ASSERT_GT(substitution_.launches(), launches);
    for (size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(BitsOf(got.rows()[i]), BitsOf(wanted.rows()[i]))
          << launch.name() << " compute_" << GetParam() << ", row " << i << " of "
          << specs.batch().vocab_size << ": " << Describe(rows[i]);
    }
    rows_ += rows.size();
  }

  // Each of the random rows under one shape of launch, which change from batch to batch.
  void Run(uint64_t seed, int batches, int rows_a_batch, int64_t least, int64_t most) {
    Random random(seed);
    const absl::Span<const EmulatedShape> shapes = EmulatedShapes();
    size_t next = 0;
    const uint64_t before = simt::ptx::InstructionsExecuted();
    for (int batch = 0; batch < batches; ++batch) {
      while (!Has(shapes[next % shapes.size()])) ++next;
      const EmulatedShape& shape = shapes[next++ % shapes.size()];
      const DType dtype = kAllDTypes[batch % 3];
      const int64_t width = least + static_cast<int64_t>(random.Below(most - least + 1));
      std::vector<RowSpec> rows;
      for (int i = 0; i < rows_a_batch; ++i) {
        rows.push_back(RandomRow(random, kAllShapes[random.Below(9)], width, width, dtype));
      }
      ExpectScalarBits(shape, rows, SpecBatch(rows, dtype, width));
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(substitution_.others(), 0u);
    std::printf(
        "compute_%d: %llu rows in %d batches, %llu million instructions\n", GetParam(),
        static_cast<unsigned long long>(rows_), batches,
        static_cast<unsigned long long>((simt::ptx::InstructionsExecuted() - before) / 1000000));
  }

  simt::ptx::Substitution substitution_;
  uint64_t seed_ = 0;
  uint64_t rows_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Compute, KernelsPtx, ::testing::Values(80, 90, 100, 120));

TEST_P(KernelsPtx, GiveTheScalarBitsOnSmallRows) { Run(1, 16, 3, 1, 2500); }

TEST_P(KernelsPtx, GiveTheScalarBitsOnRowsOfAVocabulary) { Run(2, 8, 1, 100000, 131072); }

}  // namespace
}  // namespace tessera::testing

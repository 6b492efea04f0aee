// What the cluster kernel costs a row, in PTX instructions of all its threads for each logit: the
// nearest to a time that a machine without a GPU can tell, and the same on every run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tests/cuda/direct_launch.h"
#include "tests/simt/ptx/ptx_substitute.h"
#include "tests/support/backends.h"
#include "tests/support/expected_row.h"
#include "tests/support/random_rows.h"

#ifndef TESSERA_PTX_DIR
#define TESSERA_PTX_DIR ""
#endif

namespace tessera::cuda {
void ClusterKernel(DeviceBatch batch, uint32_t slice_bytes);  // of kernels.cu
}  // namespace tessera::cuda

namespace tessera::testing {
namespace {

constexpr int64_t kVocabulary = 128256;

struct Case {
  const char* name;
  Chain chain;
  double limit;  // instructions a logit, on the costliest of the shapes
};

std::vector<Case> Cases() {
  return {{"greedy", {{Temperature{0}}}, 25},
          {"no filter", {{Temperature{0.8}}}, 100},
          {"top-k 50, top-p 0.9", {{Temperature{0.8}, TopK{50}, TopP{0.9}}}, 270},
          {"min-p 0.1", {{Temperature{0.8}, MinP{0.1}}}, 180},
          {"top-p 0.9", {{Temperature{0.8}, TopP{0.9}}}, 430}};
}

// Instructions a logit of one row, whose bits are the scalar executor's.
double Measure(const Chain& chain, Shape shape) {
  Random random(5);
  RowSpec row;
  row.logits = RandomLogits(random, shape, kVocabulary, DType::kBfloat16);
  row.chain = chain;
  row.logprob_modes = Bit(LogprobMode::kProcessed);
  row.want_support_size = false;
  const SpecBatch specs({row}, DType::kBfloat16, kVocabulary);
  BatchResult wanted, got;
  EXPECT_TRUE(SharedBackend({"scalar"}).Run(specs.batch(), &wanted).ok());
  DirectLaunch launch({"cluster", 8, 1});
  const uint64_t before = simt::ptx::InstructionsExecuted();
  EXPECT_TRUE(launch.Run(specs.batch(), &got).ok());
  EXPECT_EQ(BitsOf(got.rows()[0]), BitsOf(wanted.rows()[0]));
  return static_cast<double>(simt::ptx::InstructionsExecuted() - before) / kVocabulary;
}

TEST(InstructionCount, OfTheClusterKernelStaysWithinTheTable) {
#ifdef TESSERA_NO_PTX
  GTEST_SKIP() << "no PTX was built: " << TESSERA_NO_PTX;
#endif
  simt::ptx::Substitution substitution;
  const simt::ptx::Module module = simt::ptx::ParseFile(TESSERA_PTX_DIR "/kernels_ptx_90.ptx");
  substitution.Add(&cuda::ClusterKernel, module.Find("ClusterKernel"));
  std::printf("instructions a logit, one row of %lld in bfloat16, cluster of 8 blocks:\n",
              static_cast<long long>(kVocabulary));
  for (const Case& c : Cases()) {
    const double normal = Measure(c.chain, Shape::kNormal);
    const double peaked = Measure(c.chain, Shape::kPeaked);
    const double flat = Measure(c.chain, Shape::kFlat);
    std::printf("%-20s normal %6.1f  peaked %6.1f  flat %6.1f  (limit %.0f)\n", c.name, normal,
                peaked, flat, c.limit);
    EXPECT_LE(std::max({normal, peaked, flat}), c.limit) << c.name;
  }
}

}  // namespace
}  // namespace tessera::testing

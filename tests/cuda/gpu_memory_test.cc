// A device whose memory others hold: the batch fails, the backend does not.
#include <gtest/gtest.h>

#include <vector>

#include "kernels/cuda/cuda_api.h"
#include "tests/cuda/gpu_comparison.h"
#include "tests/cuda/gpu_shapes.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

// Everything that can be had in blocks of 64 KiB and more.
std::vector<void*> TakeMemory() {
  std::vector<void*> taken;
  size_t free = 0;
  size_t total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) return taken;
  for (size_t bytes = free; bytes >= size_t{64} << 10;) {
    void* block = nullptr;
    if (cudaMalloc(&block, bytes) == cudaSuccess) {
      taken.push_back(block);
    } else {
      (void)cudaGetLastError();
      bytes /= 2;
    }
  }
  return taken;
}

TEST(GpuMemory, ABatchThatDoesNotFitFailsAlone) {
  TESSERA_NEEDS_DEVICE();
  auto made = MakeCudaBackend({});
  ASSERT_TRUE(made.ok()) << made.status();
  Backend& backend = **made;
  Random random(1);
  const auto rows = [&](int64_t width) {
    return std::vector<RowSpec>{RandomRow(random, Shape::kNormal, width, width, DType::kFloat32)};
  };
  const std::vector<RowSpec> small_rows = rows(100);
  const std::vector<RowSpec> wide_rows = rows(kMaxVocabulary);
  const SpecBatch small(small_rows, DType::kFloat32, 100);
  const SpecBatch wide(wide_rows, DType::kFloat32, kMaxVocabulary);
  // Loads the kernels, which takes memory too.
  EXPECT_EQ(Compare(backend, small.batch(), small_rows, ScalarBits(small.batch())), "");

  const std::vector<void*> taken = TakeMemory();
  BatchResult results;
  const absl::Status refused = backend.Run(wide.batch(), &results);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted) << refused;
  EXPECT_TRUE(backend.healthy());
  for (void* block : taken) EXPECT_EQ(cudaFree(block), cudaSuccess);

  EXPECT_EQ(Compare(backend, small.batch(), small_rows, ScalarBits(small.batch())), "");
  if (FromEnvironment("TESSERA_GPU_DIVIDE", 1) == 1) {
    EXPECT_EQ(Compare(backend, wide.batch(), wide_rows, ScalarBits(wide.batch())), "");
  }
}

}  // namespace
}  // namespace tessera::testing

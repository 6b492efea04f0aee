// Nothing allocates per row: a repeated run of the same shapes into the same BatchResult takes a
// few blocks at most, however many rows there are.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/support/backends.h"
#include "tests/support/random_rows.h"

namespace {

std::atomic<int64_t> allocations{0};

void* Allocate(std::size_t size, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

// Every form of operator new ends in these two.
void* operator new(std::size_t size) { return Allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace tessera::testing {
namespace {

int64_t AllocationsOfRepeatedRun(Backend& backend, int rows, int64_t width) {
  Random random(static_cast<uint64_t>(rows));
  std::vector<RowSpec> specs;
  for (int i = 0; i < rows; ++i) {
    specs.push_back(RandomRow(random, random.Pick(kAllShapes), width, width, DType::kBfloat16));
  }
  const SpecBatch batch(specs, DType::kBfloat16, width);
  BatchResult results;
  for (int warm = 0; warm < 3; ++warm) EXPECT_TRUE(backend.Run(batch.batch(), &results).ok());
  const int64_t before = allocations.load();
  EXPECT_TRUE(backend.Run(batch.batch(), &results).ok());
  return allocations.load() - before;
}

class Allocation : public ::testing::TestWithParam<BackendSpec> {};

TEST_P(Allocation, DoesNotGrowWithTheRows) {
  Backend& backend = SharedBackend(GetParam());
  // A constant for the batch, and one block for each thread whose first row this happens to be.
  const int allowed = 3 + GetParam().threads;
  for (int rows : {1, 8, 300}) {
    EXPECT_LE(AllocationsOfRepeatedRun(backend, rows, 3000), allowed) << rows << " rows";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Allocation, ::testing::ValuesIn(AllBackends()),
                         [](const auto& param) { return BackendTestName(param.param); });

// The count would notice.
TEST(AllocationCount, SeesVectors) {
  const int64_t before = allocations.load();
  std::vector<int> vector(10);
  EXPECT_GT(allocations.load(), before);
  EXPECT_EQ(vector.size(), 10u);
}

}  // namespace
}  // namespace tessera::testing

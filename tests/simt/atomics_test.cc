// Atomics, fences between blocks, and the intrinsics on bits.
#include <cmath>
#include <vector>

#include "tests/simt/run_kernel.h"

namespace {

using simt_test::Report;
using simt_test::Shape;
class Atomics : public simt_test::Schedules {};
SIMT_SCHEDULES(Atomics);

__global__ void Updates(unsigned* word, unsigned long long* wide, int* number) {
  const unsigned thread = threadIdx.x;
  atomicAdd(&word[0], thread);
  atomicSub(&word[1], 1u);
  atomicMax(&word[2], thread * 7 % 64);
  atomicMin(&word[3], thread + 5);
  atomicOr(&word[4], 1u << (thread % 32));
  atomicAnd(&word[5], ~(1u << (thread % 16)));
  atomicXor(&word[6], thread);
  atomicAdd(wide, uint64_t{1} << 33);
  atomicMin(&number[0], static_cast<int>(thread) - 40);
  atomicMax(&number[1], 3 - static_cast<int>(thread));
}

TEST_P(Atomics, NothingIsLost) {
  unsigned word[8] = {0, 100, 0, 1000, 0, 0xFFFFFFFFu, 0, 0};
  unsigned long long wide = 0;
  int number[2] = {0, -100};
  ASSERT_EQ(Report(Shape(1, 64), Updates, &word[0], &wide, &number[0]), "");
  EXPECT_EQ(word[0], 2016u);
  EXPECT_EQ(word[1], 36u);
  EXPECT_EQ(word[2], 63u);
  EXPECT_EQ(word[3], 5u);
  EXPECT_EQ(word[4], 0xFFFFFFFFu);
  EXPECT_EQ(word[5], 0xFFFF0000u);
  EXPECT_EQ(word[6], 0u);
  EXPECT_EQ(wide, uint64_t{64} << 33);
  EXPECT_EQ(number[0], -40);
  EXPECT_EQ(number[1], 3);
}

__global__ void SpinLock(unsigned* lock, unsigned* count) {
  if (threadIdx.x % 32 != 0) return;  // one lane of a warp
  while (atomicCAS(lock, 0u, 1u) != 0) {
  }
  __threadfence();
  *count += 1;
  __threadfence();
  atomicExch(lock, 0u);
}

TEST_P(Atomics, ALoopAroundCasEnds) {
  unsigned lock = 0;
  unsigned count = 0;
  ASSERT_EQ(Report(Shape(3, 256), SpinLock, &lock, &count), "");
  EXPECT_EQ(count, 24u);
}

__global__ void Sum(float* sum, double* wide) {
  atomicAdd(sum, 0.25f);
  atomicAdd(wide, 0.5);
}

TEST_P(Atomics, FloatsAddUp) {
  float sum = 0;
  double wide = 0;
  ASSERT_EQ(Report(Shape(2, 64), Sum, &sum, &wide), "");
  EXPECT_EQ(sum, 32.0f);
  EXPECT_EQ(wide, 64.0);
}

// The last block to take a ticket sees what all wrote before theirs.
__global__ void LastBlock(unsigned* partial, unsigned* ticket, unsigned* out) {
  unsigned* last = simt::DynamicShared<unsigned>();
  partial[blockDim.x * blockIdx.x + threadIdx.x] = blockIdx.x + threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *last = atomicAdd(ticket, 1u) + 1 == gridDim.x;
  __syncthreads();
  if (*last == 0) return;
  __threadfence();
  unsigned sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) {
    sum += partial[blockDim.x * block + threadIdx.x];
  }
  out[threadIdx.x] = sum;
  // A plain store would race with the tickets that other blocks took.
  if (threadIdx.x == 0) atomicExch(ticket, 0u);
}

TEST_P(Atomics, TheLastBlockFinishes) {
  simt::emulator::Options().resident_clusters = 1 + GetParam() % 3;
  std::vector<unsigned> partial(5 * 32);
  std::vector<unsigned> out(32);
  unsigned ticket = 0;
  ASSERT_EQ(Report(Shape(5, 32, 4), LastBlock, partial.data(), &ticket, out.data()), "");
  for (unsigned thread = 0; thread < 32; ++thread) {
    EXPECT_EQ(out[thread], 10 + 5 * thread);
  }
  EXPECT_EQ(ticket, 0u);
}

TEST(Bits, MeanWhatTheManualSays) {
  EXPECT_EQ(__popc(0xF0F0u), 8);
  EXPECT_EQ(__popcll(~0ull), 64);
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__clzll(0), 64);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__ffsll(1ll << 40), 41);
  EXPECT_EQ(__brev(1u), 0x80000000u);
  EXPECT_EQ(__umulhi(0x80000000u, 6u), 3u);
  EXPECT_EQ(__umul64hi(1ull << 63, 6), 3ull);
  EXPECT_EQ(__funnelshift_r(0x11223344u, 0xAABBCCDDu, 8), 0xDD112233u);
  EXPECT_EQ(__funnelshift_l(0x11223344u, 0xAABBCCDDu, 8), 0xBBCCDD11u);
  EXPECT_EQ(__float_as_uint(1.0f), 0x3F800000u);
  EXPECT_EQ(__uint_as_float(0xC0000000u), -2.0f);
  EXPECT_EQ(__fmaf_rn(0x1.000002p0f, 0x1.000002p0f, -1.0f), 0x1.000001p-22f);
}

}  // namespace

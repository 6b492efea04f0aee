// cp.async: groups, waits, and what must be reported.
#include <vector>

#include "tests/simt/run_kernel.h"

namespace {

using simt_test::Report;
using simt_test::Shape;
class AsyncCopies : public simt_test::Schedules {};
SIMT_SCHEDULES(AsyncCopies);

std::vector<uint4> Numbers(unsigned count) {
  std::vector<uint4> numbers(count);
  for (unsigned i = 0; i < count; ++i) {
    numbers[i] = make_uint4(i, 2 * i, 3 * i, 4 * i);
  }
  return numbers;
}

__global__ void Reverses(const uint4* in, uint4* out) {
  uint4* shared = simt::DynamicShared<uint4>();
  simt::CopyAsync16(&shared[threadIdx.x], &in[threadIdx.x]);
  simt::CopyAsyncCommit();
  simt::CopyAsyncWait<0>();
  __syncthreads();
  out[threadIdx.x] = shared[63 - threadIdx.x];
}

TEST_P(AsyncCopies, ArriveByTheirWait) {
  const std::vector<uint4> in = Numbers(64);
  std::vector<uint4> out(64);
  ASSERT_EQ(Report(Shape(1, 64, 1024), Reverses, in.data(), out.data()), "");
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(out[i].w, 4 * (63 - i));
  }
}

// A pipeline of three stages over eight tiles, as a kernel would have it.
__global__ void Pipeline(const uint4* in, unsigned* out) {
  uint4* stages = simt::DynamicShared<uint4>();
  for (unsigned tile = 0; tile < 2; ++tile) {
    simt::CopyAsync16(&stages[32 * tile + threadIdx.x], &in[32 * tile + threadIdx.x]);
    simt::CopyAsyncCommit();
  }
  unsigned sum = 0;
  for (unsigned tile = 0; tile < 8; ++tile) {
    if (tile + 2 < 8) {
      simt::CopyAsync16(&stages[32 * ((tile + 2) % 3) + threadIdx.x],
                        &in[32 * (tile + 2) + threadIdx.x]);
    }
    simt::CopyAsyncCommit();
    simt::CopyAsyncWait<2>();
    __syncthreads();  // the tile is there for all
    sum += (tile + 1) * stages[32 * (tile % 3) + (threadIdx.x ^ 5)].x;
    __syncthreads();  // nobody reads the stage that is filled next
  }
  out[threadIdx.x] = sum;
}

TEST_P(AsyncCopies, GroupsEndInOrder) {
  const std::vector<uint4> in = Numbers(256);
  std::vector<unsigned> out(32);
  ASSERT_EQ(Report(Shape(1, 32, 3 * 32 * 16), Pipeline, in.data(), out.data()), "");
  for (unsigned thread = 0; thread < 32; ++thread) {
    unsigned sum = 0;
    for (unsigned tile = 0; tile < 8; ++tile) {
      sum += (tile + 1) * (32 * tile + (thread ^ 5));
    }
    EXPECT_EQ(out[thread], sum);
  }
}

__global__ void Copies(void* to, const void* from) {
  simt::CopyAsync16(to != nullptr ? to : simt::DynamicShared<void>(), from);
  simt::CopyAsyncCommit();
  simt::CopyAsyncWait<0>();
}
__global__ void NeverWaits(const uint4* in) { simt::CopyAsync16(simt::DynamicShared<uint4>(), in); }

TEST_P(AsyncCopies, MisuseIsReported) {
  simt::emulator::Options().late_copies = true;
  const std::vector<uint4> in = Numbers(4);
  std::vector<uint4> global(4);
  const simt::LaunchConfig one = Shape(1, 1, 64);
  const char* odd = reinterpret_cast<const char*>(in.data()) + 8;
  EXPECT_NE(Report(one, Copies, nullptr, odd).find("address not aligned to its 16 bytes"),
            std::string::npos);
  EXPECT_NE(Report(one, Copies, global.data(), in.data()).find("not into this block's shared"),
            std::string::npos);
  EXPECT_NE(Report(one, NeverWaits, in.data()).find("never waited for"), std::string::npos);
  EXPECT_EQ(Report(one, Copies, nullptr, in.data()), "");
}

}  // namespace

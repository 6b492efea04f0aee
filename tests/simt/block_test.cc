// Blocks: barriers and their votes, indices, the order of blocks, refused launches, reports.
#include <algorithm>
#include <vector>

#include "tests/simt/run_kernel.h"

namespace {

using simt_test::Report;
using simt_test::Shape;
class Blocks : public simt_test::Schedules {};
SIMT_SCHEDULES(Blocks);

__global__ void Votes(int* out) {
  if (threadIdx.x >= 40) return;  // who has exited is not waited for
  const int count = __syncthreads_count(threadIdx.x < 7);
  const int all = __syncthreads_and(threadIdx.x < 40);
  const int some = __syncthreads_or(threadIdx.x == 39);
  const int none = __syncthreads_or(threadIdx.x == 40);
  out[threadIdx.x] = count + 100 * (all != 0) + 200 * (some != 0) + 400 * (none != 0);
}

TEST_P(Blocks, BarriersVoteAmongWhoIsLeft) {
  int out[64] = {};
  ASSERT_EQ(Report(Shape(1, 64), Votes, &out[0]), "");
  for (int thread = 0; thread < 64; ++thread) {
    EXPECT_EQ(out[thread], thread < 40 ? 307 : 0);
  }
}

__global__ void Indices(unsigned* out) {
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  __syncthreads();  // the indices are the thread's own after a switch too
  out[32 * block + thread] =
      threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x + 10000 * blockIdx.y;
}

TEST_P(Blocks, IndicesFollowTheShapes) {
  std::vector<unsigned> out(6 * 32);
  simt::LaunchConfig config;
  config.grid = dim3(3, 2);
  config.block = dim3(4, 4, 2);
  ASSERT_EQ(Report(config, Indices, out.data()), "");
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[31], 133u);
  EXPECT_EQ(out[32 * 5 + 6], 12012u);
}

__global__ void Tickets(unsigned* ticket, unsigned* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = atomicAdd(ticket, 1u);
}

std::vector<unsigned> OrderOfBlocks() {
  unsigned ticket = 0;
  std::vector<unsigned> out(10);
  EXPECT_EQ(Report(Shape(10, 3), Tickets, &ticket, out.data()), "");
  return out;
}

TEST_P(Blocks, EveryBlockRunsOnceInAnOrderOfTheSeed) {
  std::vector<unsigned> out = OrderOfBlocks();
  EXPECT_EQ(OrderOfBlocks(), out) << "same seed, same order";
  if (GetParam() == 0) {
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
  } else {
    EXPECT_FALSE(std::is_sorted(out.begin(), out.end()));
  }
  std::sort(out.begin(), out.end());
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_EQ(out[i], i);
  }
}

__global__ void Trace(unsigned* steps, unsigned* out) {
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned step = atomicAdd(steps, 1u);
    out[step] = threadIdx.x;
    __syncwarp();
  }
}

std::vector<unsigned> TraceOf(uint64_t seed) {
  simt::emulator::Options().seed = seed;
  unsigned steps = 0;
  std::vector<unsigned> out(4 * 64);
  EXPECT_EQ(Report(Shape(1, 64), Trace, &steps, out.data()), "");
  return out;
}

TEST_P(Blocks, ASeedIsASchedule) {
  const std::vector<unsigned> trace = TraceOf(GetParam());
  EXPECT_EQ(TraceOf(GetParam()), trace);
  EXPECT_NE(TraceOf(GetParam() + 1), trace);
}

__global__ void WaitsForAnother(unsigned* flag) {
  if (blockIdx.x == 0) {
    atomicExch(flag, 1u);
  } else {
    while (atomicCAS(flag, 1u, 2u) == 0) __nanosleep(20);
  }
}

TEST_P(Blocks, ResidentBlocksMayWaitForEachOther) {
  unsigned flag = 0;
  simt::emulator::Options().resident_clusters = 2;
  EXPECT_EQ(Report(Shape(2, 1), WaitsForAnother, &flag), "");
  EXPECT_EQ(flag, 2u);
}

__global__ void Stuck(unsigned* out) {
  if (threadIdx.x < 32) __syncwarp(threadIdx.x == 3 ? 0x18u : ~0x8u);
  __syncthreads();
  out[threadIdx.x] = 1;
}

TEST_P(Blocks, ADeadlockSaysWhoWaitsWhere) {
  unsigned out[64] = {};
  const std::string report = Report(Shape(1, 64), Stuck, &out[0]);
  EXPECT_TRUE(report.find("deadlock") != std::string::npos ||
              report.find("in the same warp") != std::string::npos)
      << report;
  EXPECT_NE(report.find("__syncwarp at"), std::string::npos) << report;
}

__global__ void WaitsForNobody(unsigned* flag) {
  while (atomicCAS(flag, 1u, 2u) == 0) {
  }
}

TEST(Launches, ALivelockEnds) {
  unsigned flag = 0;
  const std::string report = Report(Shape(1, 2), WaitsForNobody, &flag);
  EXPECT_NE(report.find("livelock"), std::string::npos) << report;
}

__global__ void Nothing() {}
__global__ void Throws() { throw std::runtime_error("as a library would"); }

TEST(Launches, RefusesWhatADeviceRefuses) {
  EXPECT_EQ(simt::Launch(Shape(1, 1024), Nothing), cudaSuccess);
  EXPECT_EQ(simt::Launch(Shape(1, 1025), Nothing), cudaErrorInvalidConfiguration);
  EXPECT_EQ(simt::Launch(Shape(0, 32), Nothing), cudaErrorInvalidConfiguration);
  EXPECT_EQ(simt::Launch(Shape(1, 32, 227 * 1024), Nothing), cudaSuccess);
  EXPECT_EQ(simt::Launch(Shape(1, 32, 227 * 1024 + 1), Nothing), cudaErrorInvalidValue);
  EXPECT_EQ(simt::Launch(Shape(16, 1, 0, 16), Nothing), cudaSuccess);
  EXPECT_EQ(simt::Launch(Shape(17, 1, 0, 17), Nothing), cudaErrorInvalidClusterSize);
  EXPECT_EQ(simt::Launch(Shape(6, 1, 0, 4), Nothing), cudaErrorInvalidClusterSize);
}

TEST(Launches, AnExceptionInAKernelIsReported) {
  EXPECT_EQ(Report(Shape(1, 1), Throws), "an exception in a kernel: as a library would");
  EXPECT_EQ(Report(Shape(1, 1), Nothing), "") << "and the next launch runs";
}

__global__ void LaunchesAnother() { (void)simt::Launch(Shape(1, 1), Nothing); }

TEST(Launches, KernelsDoNotLaunchKernels) {
  EXPECT_NE(Report(Shape(1, 1), LaunchesAnother).find("a kernel launched a kernel"),
            std::string::npos);
}

}  // namespace

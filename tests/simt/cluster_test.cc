// Clusters: distributed shared memory, and the barrier in two halves.
#include <vector>

#include "tests/simt/run_kernel.h"

namespace {

using simt_test::Report;
using simt_test::Shape;
class Clusters : public simt_test::Schedules {};
SIMT_SCHEDULES(Clusters);

struct Shared {
  unsigned word[32];
};

__global__ void SumOfAllRanks(unsigned* out) {
  Shared* shared = simt::DynamicShared<Shared>();
  shared->word[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
  simt::ClusterSync();
  unsigned sum = 0;
  for (unsigned rank = 0; rank < simt::ClusterBlocks(); ++rank) {
    sum += simt::ClusterMap(shared, rank)->word[threadIdx.x ^ 1];
  }
  out[32 * blockIdx.x + threadIdx.x] = sum + 1000000 * simt::ClusterRank();
  simt::ClusterSync();
}

TEST_P(Clusters, BlocksReadEachOthersSharedMemory) {
  for (const unsigned size : {1u, 2u, 8u, 16u}) {
    std::vector<unsigned> out(32 * 32);
    ASSERT_EQ(Report(Shape(32, 32, sizeof(Shared), size), SumOfAllRanks, out.data()), "");
    for (unsigned block = 0; block < 32; ++block) {
      const unsigned first = block / size * size;
      unsigned sum = 0;
      for (unsigned rank = 0; rank < size; ++rank) {
        sum += 100 * (first + rank) + (5 ^ 1);
      }
      EXPECT_EQ(out[32 * block + 5], sum + 1000000 * (block - first)) << "cluster of " << size;
    }
  }
}

__global__ void CountsInRankZero(unsigned* out) {
  Shared* shared = simt::DynamicShared<Shared>();
  shared->word[threadIdx.x] = 0;
  simt::ClusterSync();
  atomicAdd(&simt::ClusterMap(shared, 0)->word[threadIdx.x % 4], 1u);
  simt::ClusterSync();
  if (simt::ClusterRank() == 0) out[threadIdx.x] = shared->word[threadIdx.x];
}

TEST_P(Clusters, AtomicsReachOtherBlocks) {
  unsigned out[32] = {};
  ASSERT_EQ(Report(Shape(4, 32, sizeof(Shared), 4), CountsInRankZero, &out[0]), "");
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i], i < 4 ? 32u : 0u);
  }
}

// Work between the halves of the barrier; threads that exit are not waited for.
__global__ void SplitBarrier(unsigned* out) {
  Shared* shared = simt::DynamicShared<Shared>();
  if (threadIdx.x >= 20) return;
  for (unsigned round = 0; round < 5; ++round) {
    shared->word[threadIdx.x] = round + blockIdx.x;
    simt::ClusterArrive();
    out[32 * blockIdx.x + threadIdx.x] += 1000;
    simt::ClusterWait();
    const unsigned peer = simt::ClusterRank() ^ 1;
    out[32 * blockIdx.x + threadIdx.x] += simt::ClusterMap(shared, peer)->word[threadIdx.x];
    simt::ClusterSync();
  }
}

TEST_P(Clusters, TheBarrierMayBeSplit) {
  std::vector<unsigned> out(64);
  ASSERT_EQ(Report(Shape(2, 32, sizeof(Shared), 2), SplitBarrier, out.data()), "");
  for (unsigned block = 0; block < 2; ++block) {
    for (unsigned thread = 0; thread < 32; ++thread) {
      EXPECT_EQ(out[32 * block + thread], thread < 20 ? 5010 + 5 * (block ^ 1) : 0);
    }
  }
}

__global__ void ArrivesTwice() {
  simt::ClusterArrive();
  simt::ClusterArrive();
}
__global__ void OnlyWaits() { simt::ClusterWait(); }
__global__ void ExitsInBetween() {
  simt::ClusterArrive();
  if (threadIdx.x != 0) simt::ClusterWait();
}
__global__ void SomeSkipIt() {
  if (blockIdx.x == 0) simt::ClusterSync();
  __syncthreads();
  if (blockIdx.x == 1) __syncwarp(blockIdx.x == 1 ? 0xffffffffu : 0);
}
__global__ void NoSuchRank() { simt::ClusterMap(simt::DynamicShared<unsigned>(), 2); }
__global__ void NotShared(unsigned* global) { simt::ClusterMap(global, 0); }

TEST_P(Clusters, MisuseIsReported) {
  const simt::LaunchConfig pair = Shape(2, 32, sizeof(Shared), 2);
  unsigned global = 0;
  EXPECT_NE(Report(pair, ArrivesTwice).find("second ClusterArrive"), std::string::npos);
  EXPECT_NE(Report(pair, OnlyWaits).find("ClusterWait without"), std::string::npos);
  EXPECT_NE(Report(pair, ExitsInBetween).find("exit between"), std::string::npos);
  EXPECT_EQ(Report(pair, SomeSkipIt), "") << "blocks that exited are not waited for";
  EXPECT_NE(Report(pair, NoSuchRank).find("rank 2 of a cluster of 2"), std::string::npos);
  EXPECT_NE(Report(pair, NotShared, &global).find("not an address of this block's"),
            std::string::npos);
}

// One block ends first; what the others then ask of it is gone.
__global__ void MapsAfterExit(unsigned* turn, unsigned* out) {
  unsigned* shared = simt::DynamicShared<unsigned>();
  if (simt::ClusterRank() == 0) {
    atomicExch(turn, 1u);
    return;
  }
  while (atomicCAS(turn, 1u, 2u) == 0) __nanosleep(20);
  __nanosleep(20);
  out[0] = *simt::ClusterMap(shared, 0);
}

TEST_P(Clusters, ABlockThatExitedHasNoSharedMemory) {
  unsigned turn = 0;
  unsigned out = 0;
  const std::string report = Report(Shape(2, 1, 64, 2), MapsAfterExit, &turn, &out);
  if (GetParam() < 2) {  // under other orders the block may not have come to its end
    EXPECT_NE(report.find("of a block that has exited"), std::string::npos) << report;
  }
}

}  // namespace

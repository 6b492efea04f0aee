// Shuffles, votes, matches and reductions, against what CUDA's manual says of them.
#include <vector>

#include "tests/simt/run_kernel.h"

namespace {

using simt_test::Report;
using simt_test::Shape;
class Warps : public simt_test::Schedules {};
SIMT_SCHEDULES(Warps);

constexpr unsigned kAll = 0xffffffffu;

__global__ void Shuffles(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  out[lane] = __shfl_up_sync(kAll, lane, 1, 8);
  out[32 + lane] = __shfl_down_sync(kAll, lane, 3);
  out[64 + lane] = __shfl_xor_sync(kAll, lane, 17);
  out[96 + lane] = __shfl_sync(kAll, lane, 5, 16);
  out[128 + lane] = __shfl_down_sync(kAll, lane, 2, 4);
}

TEST_P(Warps, ShufflesReadTheLaneTheyName) {
  int out[160] = {};
  ASSERT_EQ(Report(Shape(1, 32), Shuffles, &out[0]), "");
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], lane % 8 == 0 ? lane : lane - 1);
    EXPECT_EQ(out[32 + lane], lane + 3 < 32 ? lane + 3 : lane);
    EXPECT_EQ(out[64 + lane], lane ^ 17);
    EXPECT_EQ(out[96 + lane], lane / 16 * 16 + 5);
    EXPECT_EQ(out[128 + lane], lane % 4 < 2 ? lane + 2 : lane);
  }
}

__global__ void WideShuffles(unsigned long long* out, double* reals) {
  const unsigned long long value = (uint64_t{threadIdx.x} << 40) | threadIdx.x;
  out[threadIdx.x] = __shfl_xor_sync(kAll, value, 31);
  reals[threadIdx.x] = __shfl_sync(kAll, 0.5 + threadIdx.x, 9);
}

TEST_P(Warps, ShufflesOfEightBytesKeepBothHalves) {
  unsigned long long out[32] = {};
  double reals[32] = {};
  ASSERT_EQ(Report(Shape(1, 32), WideShuffles, &out[0], &reals[0]), "");
  for (uint64_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], ((31 - lane) << 40) | (31 - lane));
    EXPECT_EQ(reals[lane], 9.5);
  }
}

__global__ void Reductions(unsigned* out) {
  const auto lane = threadIdx.x;
  const int small = static_cast<int>(lane) - 10;  // -10 .. 21
  unsigned* mine = out + 16 * lane;
  mine[0] = __reduce_add_sync(kAll, lane);
  mine[1] = __reduce_min_sync(kAll, lane + 7);
  mine[2] = __reduce_max_sync(kAll, lane ^ 0x80000000u);
  mine[3] = static_cast<unsigned>(__reduce_add_sync(kAll, small));
  mine[4] = static_cast<unsigned>(__reduce_min_sync(kAll, small));
  mine[5] = static_cast<unsigned>(__reduce_max_sync(kAll, small));
  mine[6] = __reduce_and_sync(kAll, ~(1u << lane));
  mine[7] = __reduce_or_sync(kAll, 1u << (lane / 2));
  mine[8] = __reduce_xor_sync(kAll, lane + 1);
}

TEST_P(Warps, ReductionsGiveEveryLaneTheSame) {
  std::vector<unsigned> out(16 * 32);
  ASSERT_EQ(Report(Shape(1, 32), Reductions, out.data()), "");
  const unsigned expected[9] = {496, 7, 0x8000001Fu, 176, static_cast<unsigned>(-10),
                                21,  0, 0xFFFFu,     32};
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 9; ++i) {
      EXPECT_EQ(out[16 * lane + i], expected[i]) << "lane " << lane << ", reduction " << i;
    }
  }
}

__global__ void Votes(unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned* mine = out + 8 * lane;
  mine[0] = __ballot_sync(kAll, lane % 3 == 0);
  mine[1] = static_cast<unsigned>(__all_sync(kAll, lane < 32));
  mine[2] = static_cast<unsigned>(__all_sync(kAll, lane != 31));
  mine[3] = static_cast<unsigned>(__any_sync(kAll, lane == 8));
  mine[4] = __match_any_sync(kAll, uint64_t{lane % 3} << 50);
  int all = 0;
  mine[5] = __match_all_sync(kAll, lane / 32, &all) + static_cast<unsigned>(all);
  mine[6] = __match_all_sync(kAll, lane, &all) + static_cast<unsigned>(all);
  // Two branches, each with a mask of its own lanes.
  mine[7] = lane < 8 ? __ballot_sync(0xffu, lane & 1) : __ballot_sync(~0xffu, lane & 1);
}

TEST_P(Warps, VotesAndMatches) {
  std::vector<unsigned> out(8 * 32);
  ASSERT_EQ(Report(Shape(1, 32), Votes, out.data()), "");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned* mine = &out[8 * lane];
    EXPECT_EQ(mine[0], 0x49249249u);
    EXPECT_EQ(mine[1], 1u);
    EXPECT_EQ(mine[2], 0u);
    EXPECT_EQ(mine[3], 1u);
    EXPECT_EQ(mine[4], lane % 3 == 0 ? 0x49249249u : lane % 3 == 1 ? 0x92492492u : 0x24924924u);
    EXPECT_EQ(mine[5], 0u);  // all lanes, plus one: wraps around
    EXPECT_EQ(mine[6], 0u);
    EXPECT_EQ(mine[7], lane < 8 ? 0xAAu : 0xAAAAAA00u);
  }
}

// Each group works on its own, so lanes of others are ahead or behind. Legal.
__global__ void GroupsByMatch(unsigned* out) {
  const unsigned key = threadIdx.x % 5;
  unsigned left = kAll;
  for (unsigned round = 0; round < 5; ++round) {
    const unsigned group = __match_any_sync(left, key);
    if (key == round) {
      out[threadIdx.x] = __reduce_add_sync(group, threadIdx.x);
      break;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {  // who is in the next round
      left = lane % 5 > round ? left | 1u << lane : left & ~(1u << lane);
    }
  }
}

TEST_P(Warps, LanesMayBeAheadInAnotherGroup) {
  unsigned out[32] = {};
  ASSERT_EQ(Report(Shape(1, 32), GroupsByMatch, &out[0]), "");
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned sum = 0;
    for (unsigned other = lane % 5; other < 32; other += 5) {
      sum += other;
    }
    EXPECT_EQ(out[lane], sum);
  }
}

__global__ void ActiveMasks(unsigned* out) { out[threadIdx.x] = __activemask(); }

TEST_P(Warps, TheActiveMaskHoldsTheCaller) {
  unsigned out[40] = {};
  ASSERT_EQ(Report(Shape(1, 40), ActiveMasks, &out[0]), "");
  for (unsigned thread = 0; thread < 40; ++thread) {
    EXPECT_NE(out[thread] >> (thread % 32) & 1, 0u);
    EXPECT_EQ(thread < 32 ? 0 : out[thread] & ~0xFFu, 0u) << "lanes that never existed";
  }
}

__global__ void WarpOfEight(int* out) { out[threadIdx.x] = __any_sync(kAll, 1); }
__global__ void NotInMask(unsigned* out) { out[threadIdx.x] = __ballot_sync(0xFFFFu, 1); }
__global__ void Leaves(unsigned* out) {
  if (threadIdx.x == 3) return;
  out[threadIdx.x] = __ballot_sync(kAll, 1);
}

TEST_P(Warps, MasksAreChecked) {
  unsigned out[40] = {};
  EXPECT_NE(Report(Shape(1, 40), WarpOfEight, reinterpret_cast<int*>(out)).find("never existed"),
            std::string::npos);
  EXPECT_NE(Report(Shape(1, 32), NotInMask, &out[0]).find("the calling lane is not in its mask"),
            std::string::npos);
  const std::string leaves = Report(Shape(1, 32), Leaves, &out[0]);
  EXPECT_NE(leaves.find("exited"), std::string::npos) << leaves;
  EXPECT_NE(leaves.find("warp_test.cc:"), std::string::npos) << leaves;
}

}  // namespace

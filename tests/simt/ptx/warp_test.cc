// What lanes of a warp do together, executed as PTX: shuffles with their clamps, votes, matches.
#include <gtest/gtest.h>

#include "tests/simt/options.h"
#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

// Every lane runs `text` on its number in %r1 and gives %r2, and %p1 in the upper half.
std::vector<uint64_t> RunWarp(const std::string& text) {
  return RunBody(
      "mov.u32 %r1, %laneid;\nsetp.ne.u32 %p1, 0, 0;\n" + text +
          "\nselp.b32 %r3, 1, 0, %p1;\nmov.b64 %d1, {%r2, %r3};\n"
          "mul.wide.u32 %d2, %r1, 8;\nadd.s64 %d3, %out, %d2;\nst.global.u64 [%d3], %d1;",
      {}, 32, 32);
}

constexpr uint64_t Inside(uint64_t value) { return uint64_t{1} << 32 | value; }

// In segments of `width`: clamp and segment mask as __shfl_*_sync make them.
TEST(Warp, ShufflesSayWhetherTheSourceIsInTheSegment) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    emulator::Options().seed = seed;
    const auto down = RunWarp("shfl.sync.down.b32 %r2|%p1, %r1, 3, 31, -1;");
    const auto up = RunWarp("shfl.sync.up.b32 %r2|%p1, %r1, 3, 0, -1;");
    const auto butterfly = RunWarp("shfl.sync.bfly.b32 %r2|%p1, %r1, 5, 31, -1;");
    const auto index = RunWarp("shfl.sync.idx.b32 %r2|%p1, %r1, 37, 31, -1;");
    const auto eights = RunWarp("shfl.sync.down.b32 %r2|%p1, %r1, 3, 0x181F, -1;");
    const auto eights_up = RunWarp("shfl.sync.up.b32 %r2|%p1, %r1, 3, 0x1800, -1;");
    const auto eights_index = RunWarp("shfl.sync.idx.b32 %r2|%p1, %r1, 13, 0x181F, -1;");
    for (uint64_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(down[lane], lane + 3 < 32 ? Inside(lane + 3) : lane);
      EXPECT_EQ(up[lane], lane >= 3 ? Inside(lane - 3) : lane);
      EXPECT_EQ(butterfly[lane], Inside(lane ^ 5));
      EXPECT_EQ(index[lane], Inside(5));
      EXPECT_EQ(eights[lane], lane % 8 + 3 < 8 ? Inside(lane + 3) : lane);
      EXPECT_EQ(eights_up[lane], lane % 8 >= 3 ? Inside(lane - 3) : lane);
      EXPECT_EQ(eights_index[lane], Inside(lane / 8 * 8 + 5));
    }
  }
  emulator::Options().seed = 0;
}

TEST(Warp, Votes) {
  const std::string odd = "and.b32 %r4, %r1, 1;\nsetp.eq.u32 %p2, %r4, 1;\n";
  EXPECT_EQ(RunWarp(odd + "vote.sync.ballot.b32 %r2, %p2, -1;")[7], 0xAAAAAAAAu);
  EXPECT_EQ(RunWarp(odd + "vote.sync.ballot.b32 %r2, !%p2, -1;")[7], 0x55555555u);
  EXPECT_EQ(RunWarp("mov.u32 %r2, 0;\n" + odd + "vote.sync.any.pred %p1, %p2, -1;")[4], Inside(0));
  EXPECT_EQ(RunWarp("mov.u32 %r2, 0;\n" + odd + "vote.sync.all.pred %p1, %p2, -1;")[4], 0u);
  EXPECT_EQ(RunWarp("mov.u32 %r2, 0;\n" + odd + "vote.sync.uni.pred %p1, %p2, -1;")[4], 0u);
  EXPECT_EQ(RunWarp("mov.u32 %r2, 0;\nsetp.eq.u32 %p2, %r1, 99;\nvote.sync.uni.pred %p1, %p2, "
                    "-1;")[4],
            Inside(0));
}

TEST(Warp, MatchesAndReductions) {
  const std::string thirds = "rem.u32 %r4, %r1, 3;\n";
  EXPECT_EQ(RunWarp(thirds + "match.any.sync.b32 %r2, %r4, -1;")[4], 0x92492492u);
  EXPECT_EQ(RunWarp(thirds + "match.all.sync.b32 %r2|%p1, %r4, -1;")[4], 0u);
  EXPECT_EQ(RunWarp("mov.u64 %d4, 5;\nmatch.all.sync.b64 %r2|%p1, %d4, -1;")[4],
            Inside(0xFFFFFFFF));
  EXPECT_EQ(RunWarp("redux.sync.add.u32 %r2, %r1, -1;")[0], 496u);
  EXPECT_EQ(RunWarp("redux.sync.max.u32 %r2, %r1, -1;")[0], 31u);
  const std::string centred = "add.s32 %r4, %r1, -16;\n";  // -16 to 15
  EXPECT_EQ(RunWarp(centred + "redux.sync.min.s32 %r2, %r4, -1;")[0], 0xFFFFFFF0u);
  EXPECT_EQ(RunWarp(centred + "redux.sync.max.s32 %r2, %r4, -1;")[0], 15u);
  EXPECT_EQ(RunWarp(centred + "redux.sync.min.u32 %r2, %r4, -1;")[0], 0u);
  EXPECT_EQ(RunWarp("redux.sync.xor.b32 %r2, %r1, -1;")[0], 0u);
  EXPECT_EQ(RunWarp("redux.sync.or.b32 %r2, %r1, -1;")[9], 31u);
}

TEST(Warp, OneLeaderIsElected) {
  const auto elected = RunWarp("elect.sync %r2|%p1, -1;");
  int leaders = 0;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(elected[lane] & 0xFFFFFFFF, elected[0] & 0xFFFFFFFF);
    leaders += elected[lane] >> 32 != 0;
  }
  EXPECT_EQ(leaders, 1);
}

TEST(Warp, LaneMasks) {
  EXPECT_EQ(RunWarp("mov.u32 %r2, %lanemask_lt;")[5], 31u);
  EXPECT_EQ(RunWarp("mov.u32 %r2, %lanemask_le;")[31], 0xFFFFFFFFu);
  EXPECT_EQ(RunWarp("mov.u32 %r2, %lanemask_gt;")[31], 0u);
  EXPECT_EQ(RunWarp("mov.u32 %r2, %lanemask_ge;")[31], 0x80000000u);
  EXPECT_EQ(RunWarp("mov.u32 %r2, %lanemask_eq;")[3], 8u);
}

}  // namespace
}  // namespace simt::ptx

// Barriers, distributed shared memory, asynchronous and bulk copies, executed as PTX.
#include <gtest/gtest.h>

#include "tests/simt/options.h"
#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

using Words = std::vector<uint64_t>;

constexpr uint64_t kSeeds = 6;

class Seeds : public testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override { emulator::Options().seed = GetParam(); }
  void TearDown() override { emulator::Options() = emulator::RunOptions{}; }
};
INSTANTIATE_TEST_SUITE_P(Schedules, Seeds, testing::Range<uint64_t>(0, kSeeds));

std::string WithMemory(const std::string& body) {
  return ModuleHead() + ".shared .align 16 .b8 memory[1024];\n" + KernelText(body);
}

// Each thread writes a word; after the barrier it reads its neighbour's.
TEST_P(Seeds, BlockBarrierAndVotes) {
  const Words out = RunBody(
      "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 3;\nmov.u32 %r3, memory;\nadd.u32 %r4, %r3, %r2;\n"
      "st.shared.u32 [%r4], %r1;\nbar.sync 0;\nxor.b32 %r5, %r2, 504;\nadd.u32 %r5, %r3, %r5;\n"
      "ld.shared.u32 %r6, [%r5];\nsetp.lt.u32 %p1, %r1, 10;\nbarrier.sync.aligned 0;\n"
      "bar.red.popc.u32 %r7, 0, %p1;\nbar.red.or.pred %p2, 0, %p1;\nbar.red.and.pred %p3, 0, "
      "!%p2;\n"
      "selp.b32 %r8, 100, 0, %p2;\nadd.u32 %r7, %r7, %r8;\nselp.b32 %r8, 1000, 0, %p3;\n"
      "add.u32 %r7, %r7, %r8;\nbar.warp.sync -1;\nmul.wide.u32 %d1, %r1, 8;\n"
      "add.s64 %d2, %out, %d1;\nst.global.v2.u32 [%d2], {%r6, %r7};",
      {}, 64, 64);
  for (uint64_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], uint64_t{110} << 32 | (63 - i));
}

// Each block of a cluster of four writes its rank; then reads the next block's by every kind of
// address and adds to a counter of block 0.
TEST_P(Seeds, ClusterSharedMemory) {
  LaunchConfig config;
  config.grid = dim3(4);
  config.cluster = 4;
  const Words out = RunModule(
      WithMemory(
          "mov.u32 %r1, %cluster_ctarank;\nmov.u32 %r2, %cluster_nctarank;\n"
          "st.shared.u32 [memory+8], %r1;\nst.shared.u32 [memory+16], 0;\n"
          "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n"
          "add.u32 %r3, %r1, 1;\nrem.u32 %r3, %r3, %r2;\nmov.u32 %r4, memory;\n"
          "mapa.shared::cluster.u32 %r5, %r4, %r3;\nld.shared::cluster.u32 %r6, [%r5+8];\n"
          "mov.u64 %d1, memory;\ncvta.shared.u64 %d2, %d1;\nmapa.u64 %d3, %d2, %r3;\n"
          "ld.u32 %r7, [%d3+8];\ncvta.to.shared::cluster.u64 %d4, %d3;\n"
          "ld.shared::cluster.u32 %r8, [%d4+8];\nadd.u32 %r6, %r6, %r7;\nadd.u32 %r6, %r6, %r8;\n"
          "mapa.shared::cluster.u32 %r9, %r4, 0;\natom.shared::cluster.add.u32 %r10, [%r9+16], 5;\n"
          "st.shared::cluster.u32 [%r5+24], %r1;\n"
          "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
          "ld.shared::cluster.u32 %r11, [%r9+16];\nld.shared.u32 %r12, [memory+24];\n"
          "mul.wide.u32 %d5, %r1, 16;\nadd.s64 %d6, %out, %d5;\n"
          "st.global.v4.u32 [%d6], {%r6, %r11, %r12, %r2};\n"
          "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;"),
      {}, 8, config);
  for (uint64_t rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(out[2 * rank], uint64_t{20} << 32 | 3 * ((rank + 1) % 4));
    EXPECT_EQ(out[2 * rank + 1], uint64_t{4} << 32 | (rank + 3) % 4);
  }
}

constexpr const char* kBulkCopy =
    "mov.u32 %r1, memory;\nmov.u32 %r2, %tid.x;\nsetp.eq.u32 %p1, %r2, 0;\n"
    "@%p1 mbarrier.init.shared::cta.b64 [%r1], 1;\n@%p1 fence.mbarrier_init.release.cluster;\n"
    "@%p1 fence.proxy.async;\nbar.sync 0;\n@!%p1 bra wait;\n"
    "mbarrier.arrive.expect_tx.shared::cta.b64 %d1, [%r1], 32;\nadd.u32 %r3, %r1, 64;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%in], 32, [%r1];\n"
    "wait:\n{\n.reg .pred p;\nAGAIN:\n"
    "mbarrier.try_wait.parity.shared::cta.b64 p, [%r1], 0;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}\n"
    "shl.b32 %r4, %r2, 3;\nadd.u32 %r4, %r4, %r1;\nld.shared.u64 %d2, [%r4+64];\n"
    "mul.wide.u32 %d3, %r2, 8;\nadd.s64 %d4, %out, %d3;\nst.global.u64 [%d4], %d2;";

TEST_P(Seeds, BulkCopyEndsAtItsBarrier) {
  EXPECT_EQ(RunBody(kBulkCopy, {11, 22, 33, 44}, 4, 4), (Words{11, 22, 33, 44}));
}

TEST_P(Seeds, BulkCopyThatNobodyWaitsForIsNotThere) {
  std::string body = kBulkCopy;
  const std::string wait = "@p bra DONE;\nbra AGAIN;\n";
  body.erase(body.find(wait), wait.size());
  emulator::Options().late_copies = true;
  Words out;
  try {
    out = RunBody(body, {11, 22, 33, 44}, 4, 4);
  } catch (const Error&) {
    return;  // seen by the emulator
  }
  EXPECT_NE(out, (Words{11, 22, 33, 44}));
}

TEST_P(Seeds, MbarrierCountsArrivals) {
  EXPECT_EQ(RunBody("mov.u32 %r1, memory;\nmov.u32 %r2, %tid.x;\nsetp.eq.u32 %p1, %r2, 0;\n"
                    "@%p1 mbarrier.init.shared.b64 [%r1], 32;\nbar.sync 0;\n"
                    "mul.wide.u32 %d1, %r2, 8;\nadd.s64 %d2, %out, %d1;\n"
                    "st.global.u32 [%d2], %r2;\nmbarrier.arrive.shared.b64 _, [%r1];\nagain:\n"
                    "mbarrier.test_wait.parity.shared.b64 %p2, [%r1], 0;\n@!%p2 bra again;\n"
                    "xor.b32 %r3, %r2, 31;\nmul.wide.u32 %d3, %r3, 8;\nadd.s64 %d4, %out, %d3;\n"
                    "ld.global.u32 %r4, [%d4];\nst.global.u32 [%d2+4], %r4;",
                    {}, 32, 32)[4],
            uint64_t{27} << 32 | 4);
}

TEST_P(Seeds, AsynchronousCopiesOfEveryWidth) {
  EXPECT_EQ(RunBody("mov.u32 %r1, memory;\n"
                    "cp.async.cg.shared.global [%r1], [%in], 16;\ncp.async.commit_group;\n"
                    "cp.async.ca.shared.global [%r1+16], [%in+16], 8;\n"
                    "cp.async.ca.shared.global [%r1+24], [%in+24], 4;\ncp.async.commit_group;\n"
                    "st.shared.u32 [memory+28], 0;\ncp.async.wait_group 1;\n"
                    "ld.shared.v2.u64 {%d1, %d2}, [memory];\ncp.async.wait_all;\n"
                    "ld.shared.v2.u64 {%d3, %d4}, [memory+16];\n"
                    "st.global.v2.u64 [%out], {%d1, %d2};\nst.global.v2.u64 [%out+16], {%d3, %d4};",
                    {1, 2, 3, 4}, 4),
            (Words{1, 2, 3, 4}));
}

// A thread that spins on a flag with volatile loads lets the other side go on.
TEST_P(Seeds, SpinningOnAFlagEnds) {
  EXPECT_EQ(RunBody("mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra wait;\n"
                    "st.global.u32 [%out+8], 5;\nfence.acq_rel.gpu;\n"
                    "st.release.gpu.global.u32 [%out], 1;\nret;\nwait:\n"
                    "ld.acquire.gpu.global.u32 %r2, [%out];\nsetp.eq.u32 %p2, %r2, 0;\n"
                    "nanosleep.u32 20;\n@%p2 bra wait;\nld.global.u32 %r3, [%out+8];\n"
                    "st.global.u32 [%out+16], %r3;",
                    {}, 3, 64)[2],
            5u);
}

}  // namespace
}  // namespace simt::ptx

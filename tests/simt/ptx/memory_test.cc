// Loads, stores, atomics and variables of PTX in every state space.
#include <gtest/gtest.h>

#include "tests/simt/ptx/ptx.h"
#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

using Words = std::vector<uint64_t>;

TEST(Memory, VectorsOfEveryWidth) {
  EXPECT_EQ(RunBody("ld.global.nc.v4.b32 {%r1, %r2, %r3, %r4}, [%in];\n"
                    "st.global.v2.b32 [%out], {%r3, %r4};\n"
                    "st.global.v2.b32 [%out+8], {%r1, %r2};",
                    {0x2222222211111111, 0x4444444433333333}, 2),
            (Words{0x4444444433333333, 0x2222222211111111}));
  EXPECT_EQ(RunBody("ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%in];\n"
                    "st.global.v4.b8 [%out], {%h4, %h3, %h2, %h1};\n"
                    "ld.global.v2.u16 {%h1, %h2}, [%in+4];\n"
                    "st.global.v2.b16 [%out+4], {%h2, %h1};",
                    {0x8877665544332211}, 1),
            (Words{0x6655887711223344}));
  EXPECT_EQ(RunBody("ld.global.L1::no_allocate.L2::128B.v2.u64 {%d1, %d2}, [%in];\n"
                    "st.global.cs.v2.u64 [%out], {%d2, %d1};",
                    {1, 2}, 2),
            (Words{2, 1}));
}

TEST(Memory, NarrowLoadsExtend) {
  EXPECT_EQ(RunBody("ld.global.s8 %r1, [%in];\nld.global.u8 %r2, [%in];\n"
                    "ld.global.s16 %r3, [%in];\nld.global.s32 %d1, [%in];\n"
                    "st.global.v2.b32 [%out], {%r1, %r2};\nst.global.b32 [%out+8], %r3;\n"
                    "st.global.b64 [%out+16], %d1;",
                    {0x80008081}, 3),
            (Words{0x00000081FFFFFF81, 0xFFFF8081, 0xFFFFFFFF80008081}));
}

TEST(Memory, OrderedFormsAndHints) {
  EXPECT_EQ(RunBody("ld.volatile.global.u32 %r1, [%in];\nld.relaxed.gpu.global.u32 %r2, [%in+8];\n"
                    "ld.acquire.sys.global.u64 %d1, [%in+16];\nst.release.gpu.global.u64 [%out], "
                    "%d1;\nst.relaxed.cta.global.u32 [%out+8], %r1;\n"
                    "st.volatile.global.u32 [%out+12], %r2;\nfence.acq_rel.gpu;\nfence.sc.cta;\n"
                    "membar.gl;\nmembar.cta;\nfence.proxy.async;",
                    {1, 2, 3}, 2),
            (Words{3, 0x0000000200000001}));
}

TEST(Memory, SharedMemoryByNameOffsetAndGenericAddress) {
  EXPECT_EQ(RunBody("ld.global.u64 %d1, [%in];\nst.shared.u64 [memory+16], %d1;\n"
                    "mov.u32 %r1, memory;\nld.shared.u64 %d2, [%r1+16];\n"
                    "mov.u64 %d3, memory;\ncvta.shared.u64 %d4, %d3;\nld.u64 %d5, [%d4+16];\n"
                    "cvta.to.shared.u64 %d6, %d4;\nld.shared.u32 %r2, [%d6+20];\n"
                    "isspacep.shared %p1, %d4;\nselp.b32 %r3, 1, 0, %p1;\n"
                    "isspacep.shared %p1, %out;\nselp.b32 %r4, 1, 0, %p1;\n"
                    "st.global.u64 [%out], %d2;\nst.global.u64 [%out+8], %d5;\n"
                    "st.global.u32 [%out+16], %r2;\nst.global.v2.u32 [%out+24], {%r3, %r4};",
                    {0xAABBCCDD11223344}, 4),
            (Words{0xAABBCCDD11223344, 0xAABBCCDD11223344, 0xAABBCCDD, 1}));
}

TEST(Memory, LocalArrays) {
  EXPECT_EQ(RunBody(".local .align 8 .b8 depot[32];\nmov.u64 %d1, depot;\ncvta.local.u64 %d2, %d1;"
                    "\nst.local.u32 [depot+4], 7;\nst.u32 [%d2+8], 9;\nld.u32 %r1, [%d2+4];\n"
                    "ld.local.u32 %r2, [%d1+8];\nst.global.v2.u32 [%out], {%r1, %r2};",
                    {}, 1),
            (Words{0x0000000900000007}));
}

TEST(Memory, TablesStringsAndAddressesOfTheModule) {
  const std::string module =
      ModuleHead() +
      ".global .align 4 .u32 table[4] = {10, 20, 0x1E, -1};\n"
      ".const .align 8 .f64 half = 0d3FE0000000000000;\n"
      ".global .align 1 .b8 letters[3] = {65, 66, 0};\n"
      ".global .align 8 .u64 pointers[2] = {generic(table)+4, letters};\n" +
      KernelText(
          "mov.u64 %d1, table;\nld.global.u32 %r1, [%d1+8];\nld.global.u32 %r2, [table+12];\n"
          "ld.const.f64 %e1, [half];\nld.global.u64 %d2, [pointers];\nld.u32 %r3, [%d2];\n"
          "ld.global.u64 %d3, [pointers+8];\nld.u8 %h1, [%d3+1];\ncvt.u32.u16 %r4, %h1;\n"
          "st.global.v2.u32 [%out], {%r1, %r2};\nst.global.f64 [%out+8], %e1;\n"
          "st.global.v2.u32 [%out+16], {%r3, %r4};");
  EXPECT_EQ(RunModule(module, {}, 3, {}),
            (Words{0xFFFFFFFF0000001E, D(0.5), (uint64_t{66} << 32) + 20}));
}

TEST(Memory, DynamicSharedMemoryLiesBehindStatic) {
  LaunchConfig config;
  config.shared_bytes = 64;
  EXPECT_EQ(
      RunModule(ModuleHead() +
                    ".extern .shared .align 16 .b8 dynamic[];\n"
                    ".shared .align 4 .b8 fixed[20];\n" +
                    KernelText("mov.u32 %r1, dynamic;\nst.shared.u64 [dynamic+8], 5;\n"
                               "st.shared.u32 [fixed+16], 6;\nld.shared.u32 %r2, [%r1+8];\n"
                               "ld.shared.u32 %r3, [fixed+16];\nmov.u32 %r4, %dynamic_smem_size;"
                               "\nst.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};"),
                {}, 2, config),
      (Words{(uint64_t{5} << 32) + 128, (uint64_t{64} << 32) + 6}));
}

// Each returns what was there; the new value is read back.
TEST(Memory, Atomics) {
  const auto run = [](const std::string& text, uint64_t before, uint64_t b, uint64_t c) {
    return RunBody(
        "ld.global.u64 %d1, [%in+8];\nld.global.u64 %d2, [%in+16];\n"
        "cvt.u32.u64 %r1, %d1;\ncvt.u32.u64 %r2, %d2;\nld.global.u64 %d3, [%in];\n"
        "st.shared.u64 [memory], %d3;\nmov.u64 %d5, 0;\nmov.u32 %r5, 0;\n" +
            text +
            "\ncvt.u64.u32 %d6, %r5;\nor.b64 %d5, %d5, %d6;\nst.global.u64 [%out], %d5;"
            "\nld.shared.u64 %d4, [memory];\nst.global.u64 [%out+8], %d4;",
        {before, b, c}, 2);
  };
  EXPECT_EQ(run("atom.shared.add.u32 %r5, [memory], %r1;", 0xFFFFFFFF, 2, 0),
            (Words{0xFFFFFFFF, 1}));
  EXPECT_EQ(run("atom.shared.add.u64 %d5, [memory], %d1;", 0xFFFFFFFF, 2, 0),
            (Words{0xFFFFFFFF, 0x100000001}));
  EXPECT_EQ(run("atom.shared.min.s32 %r5, [memory], %r1;", 1, 0xFFFFFFFF, 0),
            (Words{1, 0xFFFFFFFF}));
  EXPECT_EQ(run("atom.shared.max.u32 %r5, [memory], %r1;", 1, 0xFFFFFFFF, 0),
            (Words{1, 0xFFFFFFFF}));
  EXPECT_EQ(run("atom.shared.max.u64 %d5, [memory], %d1;", 9, 8, 0), (Words{9, 9}));
  EXPECT_EQ(run("atom.shared.and.b32 %r5, [memory], %r1;", 0xFF, 0x3C, 0), (Words{0xFF, 0x3C}));
  EXPECT_EQ(run("atom.shared.or.b64 %d5, [memory], %d1;", 0xF0, 0x0F, 0), (Words{0xF0, 0xFF}));
  EXPECT_EQ(run("atom.shared.xor.b32 %r5, [memory], %r1;", 6, 5, 0), (Words{6, 3}));
  EXPECT_EQ(run("atom.shared.exch.b64 %d5, [memory], %d1;", 6, 5, 0), (Words{6, 5}));
  EXPECT_EQ(run("atom.shared.cas.b32 %r5, [memory], %r1, %r2;", 6, 6, 7), (Words{6, 7}));
  EXPECT_EQ(run("atom.shared.cas.b64 %d5, [memory], %d1, %d2;", 6, 5, 7), (Words{6, 6}));
  EXPECT_EQ(run("atom.shared.inc.u32 %r5, [memory], %r1;", 6, 6, 0), (Words{6, 0}));
  EXPECT_EQ(run("atom.shared.dec.u32 %r5, [memory], %r1;", 0, 6, 0), (Words{0, 6}));
  EXPECT_EQ(run("red.shared.add.u32 [memory], %r1;", 6, 5, 0), (Words{0, 11}));
  EXPECT_EQ(run("red.release.cta.shared.or.b32 [memory], %r1;", 6, 9, 0), (Words{0, 15}));
  EXPECT_EQ(run("atom.acq_rel.gpu.shared.add.f64 %d5, [memory], %d1;", D(1.5), D(2.0), 0),
            (Words{D(1.5), D(3.5)}));
}

// 64 threads add to one counter in global memory; each gets another ticket.
TEST(Memory, AtomicsAcrossThreads) {
  const Words out = RunBody(
      "atom.global.add.u32 %r1, [%out], 1;\ncvt.u64.u32 %d1, %r1;\nshl.b64 %d1, %d1, 3;\n"
      "add.s64 %d2, %out, %d1;\nst.global.u32 [%d2+8], %r1;",
      {}, 65, 64);
  EXPECT_EQ(out[0], 64u);
  for (uint64_t i = 0; i < 64; ++i) EXPECT_EQ(out[i + 1], i);
}

}  // namespace
}  // namespace simt::ptx

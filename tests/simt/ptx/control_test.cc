// Branches, jump tables, calls and scopes of PTX.
#include <gtest/gtest.h>

#include "tests/simt/ptx/ptx.h"
#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

using Words = std::vector<uint64_t>;

TEST(Control, LoopsAndGuards) {
  EXPECT_EQ(RunBody("ld.global.u32 %r1, [%in];\nmov.u32 %r2, 0;\nloop:\nadd.u32 %r2, %r2, %r1;\n"
                    "sub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra loop;\n"
                    "@!%p1 bra.uni end;\nmov.u32 %r2, 1;\nend:\nst.global.u32 [%out], %r2;",
                    {100}, 1),
            (Words{5050}));
}

TEST(Control, JumpTables) {
  const std::string body =
      "ld.global.u32 %r1, [%in];\n$table: .branchtargets $zero, $one, $two, $one;\n"
      "brx.idx %r1, $table;\n$zero:\nmov.u32 %r2, 10;\nbra.uni $end;\n$one:\nmov.u32 %r2, 11;\n"
      "bra.uni $end;\n$two:\nmov.u32 %r2, 12;\n$end:\nst.global.u32 [%out], %r2;";
  for (uint64_t index = 0; index < 4; ++index) {
    EXPECT_EQ(RunBody(body, {index}, 1)[0], 10 + (index == 3 ? 1 : index));
  }
}

TEST(Control, ExitEndsTheThreadAlsoFromAFunction) {
  const std::string module =
      ModuleHead() + ".func leave()\n{\nexit;\n}\n" +
      KernelText("st.global.u32 [%out], 1;\n{\ncall.uni leave, ();\n}\nst.global.u32 [%out], 2;");
  EXPECT_EQ(RunModule(module, {}, 1, {}), (Words{1}));
}

// Names of an inner scope hide those outside, and labels are its own.
TEST(Control, ScopesOfInlineAssembly) {
  const std::string wait =
      "{\n.reg .pred p;\n.reg .b32 %r1;\nmov.u32 %r1, 3;\nAGAIN:\nadd.u32 %r2, %r2, 1;\n"
      "sub.u32 %r1, %r1, 1;\nsetp.eq.u32 p, %r1, 0;\n@p bra.uni DONE;\nbra.uni AGAIN;\nDONE:\n}\n";
  EXPECT_EQ(RunBody("mov.u32 %r1, 77;\nmov.u32 %r2, 0;\n" + wait + wait +
                        "st.global.v2.u32 [%out], {%r1, %r2};",
                    {}, 1),
            (Words{uint64_t{6} << 32 | 77}));
}

// As nvcc calls: .param variables of the caller, a prototype before the body, recursion.
TEST(Control, CallsPassArgumentsAndResults) {
  const std::string function =
      ".func (.param .b64 result) factorial(.param .b32 n);\n"
      ".func (.param .b64 result) factorial(\n.param .b32 n\n)\n.noreturn\n{\n.reg .b32 %r<4>;\n"
      ".reg .b64 %rd<4>;\n.reg .pred %p<2>;\nld.param.u32 %r1, [n];\nmov.u64 %rd1, 1;\n"
      "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra $done;\nsub.u32 %r2, %r1, 1;\n{\n.param .b32 param0;\n"
      "st.param.b32 [param0], %r2;\n.param .b64 retval0;\n"
      "call.uni (retval0),\nfactorial,\n(\nparam0\n);\nld.param.b64 %rd2, [retval0];\n}\n"
      "cvt.u64.u32 %rd3, %r1;\nmul.lo.u64 %rd1, %rd2, %rd3;\n$done:\n"
      "st.param.b64 [result], %rd1;\nret;\n}\n";
  const std::string module =
      ModuleHead() + function +
      KernelText(
          "ld.global.u32 %r1, [%in];\n{\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n"
          ".param .b64 retval0;\ncall.uni (retval0), factorial, (param0);\n"
          "ld.param.b64 %d1, [retval0+0];\n}\nst.global.u64 [%out], %d1;");
  EXPECT_EQ(RunModule(module, {20}, 1, {}), (Words{2432902008176640000}));
}

TEST(Control, StructsByValue) {
  const std::string module =
      ModuleHead() +
      ".func (.param .align 8 .b8 sum[16]) add(.param .align 8 .b8 pair[16], .param .b64 c)\n{\n"
      ".reg .b64 %d<6>;\nld.param.v2.b64 {%d1, %d2}, [pair];\nld.param.u64 %d3, [c];\n"
      "add.s64 %d1, %d1, %d3;\nadd.s64 %d2, %d2, %d3;\nst.param.v2.b64 [sum], {%d1, "
      "%d2};\nret;\n}\n" +
      KernelText(
          "ld.global.v2.u64 {%d1, %d2}, [%in];\n{\n.param .align 8 .b8 param0[16];\n"
          ".param .b64 param1;\n.param .align 8 .b8 retval0[16];\nst.param.b64 [param0], %d1;\n"
          "st.param.b64 [param0+8], %d2;\nst.param.b64 [param1], 100;\n"
          "call.uni (retval0), add, (param0, param1);\n"
          "ld.param.v2.b64 {%d3, %d4}, [retval0];\n}\nst.global.v2.u64 [%out], {%d3, %d4};");
  EXPECT_EQ(RunModule(module, {7, 8}, 2, {}), (Words{107, 108}));
}

TEST(Control, SpecialRegisters) {
  LaunchConfig config;
  config.grid = dim3(3, 2);
  config.block = dim3(4, 2, 2);
  const Words out = RunModule(
      ModuleHead() +
          KernelText(
              "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ctaid.y;\nmov.u32 %r3, %nctaid.x;\n"
              "mad.lo.u32 %r4, %r2, %r3, %r1;\nmov.u32 %r5, %ntid.x;\nmov.u32 %r6, %ntid.y;\n"
              "mov.u32 %r7, %ntid.z;\nmul.lo.u32 %r8, %r5, %r6;\nmul.lo.u32 %r8, %r8, %r7;\n"
              "mov.u32 %r9, %tid.z;\nmov.u32 %r10, %tid.y;\nmov.u32 %r11, %tid.x;\n"
              "mad.lo.u32 %r12, %r9, %r6, %r10;\nmad.lo.u32 %r12, %r12, %r5, %r11;\n"
              "mad.lo.u32 %r13, %r4, %r8, %r12;\nmul.wide.u32 %d1, %r13, 8;\n"
              "add.s64 %d2, %out, %d1;\nst.global.u32 [%d2], %r13;\n"
              "mov.u32 %r14, WARP_SZ;\nst.global.u32 [%d2+4], %r14;"),
      {}, 96, config);
  for (uint64_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], uint64_t{32} << 32 | i);
}

TEST(Control, ExecutedInstructionsAreCounted) {
  const uint64_t before = InstructionsExecuted();
  RunBody("mov.u32 %r1, 1;", {}, 1, 32);
  EXPECT_EQ(InstructionsExecuted() - before, 32u * 4);  // two loads, the body, ret
}

}  // namespace
}  // namespace simt::ptx

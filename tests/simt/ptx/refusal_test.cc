// What the parser refuses, and that it says where and why.
#include <gtest/gtest.h>

#include "tests/simt/options.h"
#include "tests/simt/ptx/ptx.h"
#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

std::string RefusalOf(const std::string& module) {
  try {
    Parse(module);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The message has the line, the reason and the instruction's text.
void ExpectRefused(const std::string& instruction, const std::string& why) {
  const std::string error = RefusalOf(ModuleHead() + KernelText(instruction));
  EXPECT_NE(error.find("ptx line 19: "), std::string::npos) << instruction << ": " << error;
  EXPECT_NE(error.find(why), std::string::npos) << instruction << ": " << error;
  const std::string text = instruction.substr(0, instruction.find(';'));
  EXPECT_NE(error.find(text), std::string::npos) << instruction << ": " << error;
}

TEST(Refusals, ApproximateArithmetic) {
  ExpectRefused("div.approx.f32 %f1, %f2, %f3;", ".approx has no exact meaning on a CPU");
  ExpectRefused("div.full.f32 %f1, %f2, %f3;", ".full has no exact meaning on a CPU");
  ExpectRefused("ex2.approx.ftz.f32 %f1, %f2;", "has no exact meaning on a CPU");
  ExpectRefused("lg2.approx.f32 %f1, %f2;", ".approx has no exact meaning on a CPU");
  ExpectRefused("sqrt.approx.f32 %f1, %f2;", ".approx has no exact meaning on a CPU");
  ExpectRefused("rsqrt.approx.f64 %e1, %e2;", ".approx has no exact meaning on a CPU");
  ExpectRefused("add.rn.ftz.f32 %f1, %f2, %f3;", ".ftz has no exact meaning on a CPU");
  ExpectRefused("mul.ftz.f32 %f1, %f2, %f3;", ".ftz has no exact meaning on a CPU");
  ExpectRefused("atom.global.add.noftz.f16 %h1, [%in], %h2;", ".noftz has no exact meaning");
  ExpectRefused("atom.global.add.f32 %f1, [%in], %f2;", "flush subnormals");
}

TEST(Refusals, ArithmeticThatMayBeContracted) {
  ExpectRefused("add.f32 %f1, %f2, %f3;", "needs .rn");
  ExpectRefused("sub.f32 %f1, %f2, %f3;", "needs .rn");
  ExpectRefused("mul.f64 %e1, %e2, %e3;", "needs .rn");
  ExpectRefused("mad.f32 %f1, %f2, %f3, %f4;", "needs .rn");
  ExpectRefused("fma.rz.f32 %f1, %f2, %f3, %f4;", "needs .rn");
  ExpectRefused("div.rz.f32 %f1, %f2, %f3;", "needs .rn");
  ExpectRefused("add.rn.sat.f32 %f1, %f2, %f3;", "modifier .sat is not understood");
  ExpectRefused("cvt.f32.f64 %f1, %e1;", "needs a rounding");
  ExpectRefused("cvt.u32.f32 %r1, %f1;", "needs a rounding");
}

TEST(Refusals, UnknownInstructionsAndForms) {
  ExpectRefused("tcgen05.fence::before_thread_sync;", "unknown instruction");
  ExpectRefused("mma.sync.aligned.m8n8k4 %r1, %r2;", "unknown instruction");
  ExpectRefused("add.f16 %h1, %h2, %h3;", "no type that is known");
  ExpectRefused("add.sat.s32 %r1, %r2, %r3;", "modifier .sat is not understood");
  ExpectRefused("mul24.lo.u32 %r1, %r2, %r3;", "unknown instruction");
  ExpectRefused("setp.lo.s32 %p1, %r2, %r3;", "no such comparison");
  ExpectRefused("shfl.down.b32 %r1, %r2, 1, 31;", "needs .sync");
  ExpectRefused("bar.sync 1;", "only barrier 0");
  ExpectRefused("bar.sync 0, 64;", "wrong number of operands");
  ExpectRefused("cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 16;",
                "no such bulk copy");
  ExpectRefused("cp.async.ca.shared.global [%r1], [%in], 12;", "copies 4, 8 or 16 bytes");
  ExpectRefused("mbarrier.try_wait.shared.b64 %p1, [%r1], %d1;", "only waits by parity");
  ExpectRefused("fence.proxy.alias;", "only the proxy .async");
  ExpectRefused("ld.global.v8.u64 {%d1, %d2}, [%in];", "vector of another length");
  ExpectRefused("cvta.to.global.u32 %r1, %r2;", "cvta of this space or width");
  ExpectRefused("mov.u32 %r1, %clock;", "no register %clock");
  ExpectRefused("mov.u64 %d1, %globaltimer;", "no register %globaltimer");
  ExpectRefused("add.s32 %r1, %r2;", "wrong number of operands");
  ExpectRefused("add.s32 %r1, %r2, %r99;", "no register %r99");
}

TEST(Refusals, NamesAndStructure) {
  EXPECT_NE(RefusalOf(ModuleHead() + KernelText("bra nowhere;")).find("no such label: nowhere"),
            std::string::npos);
  EXPECT_NE(RefusalOf(ModuleHead() + KernelText("call missing;")).find("no function of that name"),
            std::string::npos);
  EXPECT_NE(RefusalOf(ModuleHead() + KernelText("mov.b64 %d1, absent;")).find("not a literal"),
            std::string::npos);
  EXPECT_NE(RefusalOf(ModuleHead() + KernelText("here:\nhere:")).find("second label"),
            std::string::npos);
  EXPECT_NE(
      RefusalOf(ModuleHead() + ".visible .entry open()\n{\nret;\n").find("ends in a function"),
      std::string::npos);
  EXPECT_NE(RefusalOf(ModuleHead() + ".extern .global .u32 elsewhere;\n").find("another module"),
            std::string::npos);
  EXPECT_NE(RefusalOf(ModuleHead() + ".global .u32 small[1] = {1, 2};\n").find("too many"),
            std::string::npos);
  EXPECT_NE(RefusalOf(ModuleHead() + KernelText("mov.f32 %f1, 0d3FF0000000000000;"))
                .find("literal of another type"),
            std::string::npos);
}

TEST(Refusals, LaunchesThatDoNotFit) {
  const Module module = Parse(ModuleHead() + KernelText("", "first") + KernelText("", "second"));
  EXPECT_THROW(module.Find("third"), Error);
  EXPECT_THROW(module.Find("s"), Error);  // both names have one
  EXPECT_EQ(module.KernelNames(), (std::vector<std::string>{"first", "second"}));
  const uint64_t* pointer = nullptr;
  EXPECT_THROW(Launch(module.Find("first"), {}, pointer), Error);
  EXPECT_THROW(Launch(module.Find("first"), {}, pointer, 7), Error);
}

}  // namespace
}  // namespace simt::ptx

// Defects of a kernel that show while its PTX runs: each is an Error that names the line.
#include <gtest/gtest.h>

#include "tests/simt/ptx/ptx_snippet.h"

namespace simt::ptx {
namespace {

// Of a kernel with `body`, whose first line is line 20 of the module.
std::string FaultOf(const std::string& body, unsigned threads = 1) {
  return ErrorOf(ModuleHead() + ".shared .align 16 .b8 memory[1024];\n" + KernelText(body),
                 threads);
}

void ExpectFault(const std::string& body, const std::string& what, unsigned threads = 1) {
  const std::string error = FaultOf(body, threads);
  EXPECT_NE(error.find(what), std::string::npos) << body << ": " << error;
}

TEST(Faults, NameTheLine) {
  const std::string error = FaultOf("mov.u32 %r1, 1;\ntrap;");
  EXPECT_NE(error.find("ptx line 21: trap"), std::string::npos) << error;
}

TEST(Faults, MisalignedAccesses) {
  ExpectFault("ld.global.u32 %r1, [%in+2];", "misaligned");
  ExpectFault("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%in+4];", "misaligned");
  ExpectFault("st.shared.u64 [memory+4], 0;", "misaligned");
  ExpectFault("st.global.v2.u64 [%out+8], {%d1, %d2};", "misaligned");
  ExpectFault("atom.shared.add.u64 %d1, [memory+4], 1;", "misaligned");
}

TEST(Faults, OutsideOfSharedMemory) {
  ExpectFault("ld.shared.u32 %r1, [memory+1024];", "outside of the block's 1024 bytes");
  ExpectFault("st.shared.u64 [memory+1024], 0;", "outside of the block's 1024 bytes");
  ExpectFault("mov.u32 %r1, 1020;\nld.shared.v2.u32 {%r2, %r3}, [%r1+4];", "outside");
  ExpectFault("mov.u32 %r1, 0;\nst.shared.u32 [%r1+-4], 0;", "outside");
  ExpectFault("cvta.to.shared.u64 %d1, %out;", "not an address of shared memory");
}

TEST(Faults, Arithmetic) {
  ExpectFault("mov.u32 %r1, 0;\ndiv.u32 %r2, 5, %r1;", "division by zero");
  ExpectFault("mov.u64 %d1, 0;\nrem.s64 %d2, 5, %d1;", "division by zero");
}

TEST(Faults, Control) {
  ExpectFault("mov.u32 %r1, 2;\ntable: .branchtargets end, end;\nbrx.idx %r1, table;\nend:",
              "outside of the jump table");
}

TEST(Faults, DivergentBarriersAreTheEmulatorsToSee) {
  ExpectFault(
      "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra skip;\nbar.sync 0;\nskip:\n"
      "bar.sync 0;",
      "divergent", 32);
  ExpectFault("mapa.u64 %d1, %out, 0;", "not an address of shared memory");
  ExpectFault("mov.u32 %r1, memory;\nmapa.shared::cluster.u32 %r2, %r1, 1;",
              "no block of that rank");
}

}  // namespace
}  // namespace simt::ptx

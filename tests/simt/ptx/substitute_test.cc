// A kernel's PTX in the place of its emulated source.
#include <gtest/gtest.h>

#include "tests/simt/emulator.h"
#include "tests/simt/ptx/ptx_snippet.h"
#include "tests/simt/ptx/ptx_substitute.h"

namespace simt::ptx {
namespace {

void WriteOne(const uint64_t*, uint64_t* out) { *out = 1; }
void WriteTwo(const uint64_t*, uint64_t* out) { *out = 2; }

TEST(Substitution, RunsThePtxOfTheKernelsItWasToldOf) {
  const Module module = Parse(ModuleHead() + KernelText("st.global.u64 [%out], 7;"));
  uint64_t one = 0, two = 0;
  {
    Substitution substitution;
    substitution.Add(&WriteOne, module.Find("snippet"));
    EXPECT_EQ(simt::Launch({}, &WriteOne, nullptr, &one), cudaSuccess);
    EXPECT_EQ(simt::Launch({}, &WriteTwo, nullptr, &two), cudaSuccess);
    EXPECT_EQ(substitution.launches(), 1u);
    EXPECT_EQ(substitution.others(), 1u);
    EXPECT_THROW(Substitution{}, Error);
  }
  EXPECT_EQ(one, 7u);
  EXPECT_EQ(two, 2u);
  EXPECT_EQ(simt::Launch({}, &WriteOne, nullptr, &one), cudaSuccess);
  EXPECT_EQ(one, 1u);
}

}  // namespace
}  // namespace simt::ptx

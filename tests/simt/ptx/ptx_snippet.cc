#include "tests/simt/ptx/ptx_snippet.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/simt/emulator.h"
#include "tests/simt/ptx/ptx.h"

namespace simt::ptx {
namespace {

std::string Register(char kind, size_t number) {
  return std::string("%") + kind + std::to_string(number);
}

// From word `index` of the input into register `number`.
std::string LoadText(char kind, size_t index) {
  const std::string at = "[%in+" + std::to_string(8 * index) + "];\n";
  const std::string name = Register(kind, index + 1);
  switch (kind) {
    case 'p':
      return "ld.global.b32 %r31, " + at + "setp.ne.b32 " + name + ", %r31, 0;\n";
    case 'h':
      return "ld.global.b16 " + name + ", " + at;
    case 'd':
      return "ld.global.b64 " + name + ", " + at;
    case 'f':
      return "ld.global.f32 " + name + ", " + at;
    case 'e':
      return "ld.global.f64 " + name + ", " + at;
    default:
      return "ld.global.b32 " + name + ", " + at;
  }
}

std::string StoreText(char kind) {
  const std::string name = Register(kind, 0);
  switch (kind) {
    case 'p':
      return "selp.b32 %r31, 1, 0, " + name + ";\nst.global.b32 [%out], %r31;\n";
    case 'h':
      return "st.global.b16 [%out], " + name + ";\n";
    case 'd':
      return "st.global.b64 [%out], " + name + ";\n";
    case 'f':
      return "st.global.f32 [%out], " + name + ";\n";
    case 'e':
      return "st.global.f64 [%out], " + name + ";\n";
    default:
      return "st.global.b32 [%out], " + name + ";\n";
  }
}

}  // namespace

std::string ModuleHead() { return ".version 8.7\n.target sm_100\n.address_size 64\n"; }

std::string KernelText(const std::string& body, const std::string& name) {
  return ".visible .entry " + name + "(\n.param .u64 " + name + "_in,\n.param .u64 " + name +
         "_out\n)\n{\n.reg .pred %p<32>;\n.reg .b16 %h<32>;\n.reg .b32 %r<32>;\n"
         ".reg .b64 %d<32>;\n.reg .f32 %f<32>;\n.reg .f64 %e<32>;\n.reg .b64 %in;\n"
         ".reg .b64 %out;\nld.param.u64 %in, [" +
         name + "_in];\nld.param.u64 %out, [" + name + "_out];\n" + body + "\nret;\n}\n";
}

std::string Body(const Case& one) {
  const std::string signature = one.signature;
  std::string body, text = one.text;
  for (size_t i = 2; i < signature.size(); ++i) body += LoadText(signature[i], i - 2);
  for (size_t at = text.find('$'); at != std::string::npos; at = text.find('$')) {
    const size_t number = static_cast<size_t>(text[at + 1] - '0');
    text.replace(at, 2, Register(signature[number == 0 ? 0 : number + 1], number));
  }
  return body + text + "\n" + StoreText(signature[0]);
}

std::vector<uint64_t> RunModule(const std::string& module, const std::vector<uint64_t>& in,
                                size_t out_count, const LaunchConfig& config) {
  std::vector<uint64_t> input = in, output(out_count, 0);
  input.resize(input.size() + 1);  // never empty
  const Module parsed = Parse(module);
  const cudaError_t result =
      Launch(parsed.Find(""), config, static_cast<const uint64_t*>(input.data()), output.data());
  EXPECT_EQ(result, cudaSuccess);
  return output;
}

std::vector<uint64_t> RunBody(const std::string& body, const std::vector<uint64_t>& in,
                              size_t out_count, unsigned threads) {
  LaunchConfig config;
  config.block = dim3(threads);
  return RunModule(ModuleHead() + ".shared .align 16 .b8 memory[1024];\n" + KernelText(body), in,
                   out_count, config);
}

void ExpectCases(const std::vector<Case>& cases) {
  std::string all = ModuleHead();
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case& one = cases[i];
    SCOPED_TRACE(one.text);
    all += KernelText(Body(one), "case_" + std::to_string(i));
    const uint64_t actual = RunBody(Body(one), one.operands, 1)[0];
    EXPECT_EQ(actual, one.result) << std::hex << actual << ", expected " << one.result;
  }
  std::cout << cases.size() << " cases\n";
#ifdef TESSERA_PTXAS
  const std::string path = testing::TempDir() + "cases_of_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".ptx";
  std::ofstream(path) << all;
  const std::string command = TESSERA_PTXAS " -arch=sm_100 -O0 -o /dev/null " + path;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
#else
  std::cout << "no ptxas: not checked whether this is PTX\n";
#endif
}

std::string ErrorOf(const std::string& module, unsigned threads) {
  LaunchConfig config;
  config.block = dim3(threads);
  try {
    RunModule(module, {}, 64, config);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace simt::ptx

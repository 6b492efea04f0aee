// nvcc's PTX of kernels/math, executed, against the host compiler's code: bit for bit.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "tests/simt/ptx/math_probes.h"
#include "tests/simt/ptx/ptx.h"

namespace tessera::probe {
namespace {

constexpr uint32_t kInputs = 20000;  // per probe and architecture

// Half of the words uniform, the rest sparse: few bits set, or few bits clear.
uint64_t AnyWord(std::mt19937_64& random) {
  const uint64_t word = random();
  switch (random() % 4) {
    case 0:
      return word & random() & random();
    case 1:
      return word | random() | random();
    default:
      return word;
  }
}

std::vector<Words> Inputs() {
  std::mt19937_64 random(20261130);
  std::vector<Words> inputs(kInputs);
  for (Words& words : inputs) {
    for (uint64_t& word : words.w) word = AnyWord(random);
  }
  return inputs;
}

template <typename Probe>
class MathProbe : public testing::Test {};

// The probe and its name in the mangled name of its kernel.
#define TESSERA_NAMED(Name)                     \
  struct Named##Name : Name {                   \
    static constexpr const char* kName = #Name; \
  };
TESSERA_NAMED(DtypeProbe)
TESSERA_NAMED(KeyProbe)
TESSERA_NAMED(LogProbe)
TESSERA_NAMED(LogprobProbe)
TESSERA_NAMED(PhiloxProbe)
TESSERA_NAMED(WeightProbe)
TESSERA_NAMED(StatisticsProbe)
TESSERA_NAMED(SpreadProbe)
TESSERA_NAMED(WideProbe)
TESSERA_NAMED(CeilProbe)
#undef TESSERA_NAMED
using Probes = testing::Types<NamedDtypeProbe, NamedKeyProbe, NamedLogProbe, NamedLogprobProbe,
                              NamedPhiloxProbe, NamedWeightProbe, NamedStatisticsProbe,
                              NamedSpreadProbe, NamedWideProbe, NamedCeilProbe>;
TYPED_TEST_SUITE(MathProbe, Probes);

TYPED_TEST(MathProbe, PtxGivesTheHostsBits) {
#ifdef TESSERA_NO_PTX
  GTEST_SKIP() << "no PTX was built: " << TESSERA_NO_PTX;
#define TESSERA_PTX_DIR ""
#endif
  const std::vector<Words> inputs = Inputs();
  std::vector<Words> expected(kInputs);
  for (uint32_t i = 0; i < kInputs; ++i) expected[i] = TypeParam::Run(inputs[i]);
  for (const std::string arch : {"80", "90", "100", "120"}) {
    const simt::ptx::Module module =
        simt::ptx::ParseFile(TESSERA_PTX_DIR "/math_probes_" + arch + ".ptx");
    std::vector<Words> actual(kInputs, Words{{0xBAD, 0xBAD, 0xBAD, 0xBAD}});
    const uint64_t before = simt::ptx::InstructionsExecuted();
    simt::LaunchConfig config;
    config.block = dim3(128);
    config.grid = dim3((kInputs + 127) / 128);
    ASSERT_EQ(simt::ptx::Launch(module.Find(TypeParam::kName), config, inputs.data(), actual.data(),
                                kInputs),
              cudaSuccess);
    std::cout << TypeParam::kName << " compute_" << arch << ": " << kInputs << " inputs, "
              << (simt::ptx::InstructionsExecuted() - before) / kInputs << " instructions each\n";
    int reported = 0;
    for (uint32_t i = 0; i < kInputs && reported < 5; ++i) {
      for (int k = 0; k < 4; ++k) {
        if (actual[i].w[k] == expected[i].w[k]) continue;
        ADD_FAILURE() << TypeParam::kName << " compute_" << arch << ", result " << k << " of ("
                      << std::hex << inputs[i].w[0] << ", " << inputs[i].w[1] << ", "
                      << inputs[i].w[2] << ", " << inputs[i].w[3] << "): " << actual[i].w[k]
                      << ", host " << expected[i].w[k];
        ++reported;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::probe

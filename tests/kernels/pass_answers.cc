// Compiles the passes for every SIMD target, as kernels/cpu/simd_rows.cc does.
#include "tests/kernels/pass_answers.h"

#include "kernels/scalar/scalar_passes.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/kernels/pass_answers.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h, which includes this file once per target:
#include "hwy/highway.h"
#include "kernels/cpu/simd_passes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

testing::PassAnswers AnswerHere(const testing::PassQuestion& question) {
  return testing::Answer<SimdPasses>(question);
}

RowMax AnswerMaxHere(const RowView& row) { return testing::AnswerMax<SimdPasses>(row); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::testing {

std::vector<NamedPasses> AllPasses() {
  const auto supported = hwy::SupportedTargets();
  std::vector<NamedPasses> passes = {{"scalar", &Answer<ScalarPasses>, &AnswerMax<ScalarPasses>}};
#define TESSERA_TARGET(name)         \
  if ((supported & HWY_##name) != 0) \
    passes.push_back({#name, &N_##name::AnswerHere, &N_##name::AnswerMaxHere});
#if HWY_TARGETS & HWY_AVX3
  TESSERA_TARGET(AVX3)
#endif
#if HWY_TARGETS & HWY_AVX2
  TESSERA_TARGET(AVX2)
#endif
#if HWY_TARGETS & HWY_NEON
  TESSERA_TARGET(NEON)
#endif
#undef TESSERA_TARGET
#if HWY_TARGETS & HWY_EMU128
  passes.push_back({"EMU128", &N_EMU128::AnswerHere, &N_EMU128::AnswerMaxHere});
#elif HWY_TARGETS & HWY_SCALAR
  passes.push_back({"SCALAR", &N_SCALAR::AnswerHere, &N_SCALAR::AnswerMaxHere});
#endif
  return passes;
}

}  // namespace tessera::testing
#endif  // HWY_ONCE

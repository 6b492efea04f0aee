#include "kernels/cpu/simd_rows.h"

// AVX-512 (AVX3) and AVX2 carry the load on x86; what lies below them is served by the portable
// target, which the tests run everywhere.
// SVE's vectors have no size at compile time, which this code needs.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd_rows.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h, which includes this file once per target:
#include "hwy/highway.h"
#include "kernels/cpu/batch_rows.h"
#include "kernels/cpu/simd_passes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

void RunSimdRow(const Batch& batch, size_t index, RowScratch& scratch, RowResult* result) {
  RunRow<SimdPasses>(batch, index, scratch, result);
}

void RunSimdResidual(const ResidualBatch& batch, size_t index, const ResidualScratch& scratch,
                     ResidualResult* result) {
  RunResidual<SimdPasses>(batch, index, scratch, result);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

std::vector<SimdTarget> RunnableSimdTargets() {
  const auto supported = hwy::SupportedTargets();
  std::vector<SimdTarget> targets;
#define TESSERA_TARGET(name)         \
  if ((supported & HWY_##name) != 0) \
    targets.push_back({#name, &N_##name::RunSimdRow, &N_##name::RunSimdResidual});
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
  targets.push_back({"EMU128", &N_EMU128::RunSimdRow, &N_EMU128::RunSimdResidual});
#elif HWY_TARGETS & HWY_SCALAR
  targets.push_back({"SCALAR", &N_SCALAR::RunSimdRow, &N_SCALAR::RunSimdResidual});
#endif
  return targets;
}

}  // namespace tessera
#endif  // HWY_ONCE

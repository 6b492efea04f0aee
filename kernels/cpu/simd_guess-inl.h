// GuessMassBracket: where the first p of a row's mass probably ends.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_narrow-inl.h"
#include "kernels/cpu/simd_weigh_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class Elements>
HWY_NOINLINE OrderBracket GuessMassBracketOf(const RowView& row, const PassScratch& scratch,
                                             const Weigher& weigher, double p) {
  (void)weigher;
  (void)p;
  (void)row;
  (void)scratch;
  return {kOrderKeyNegInf, kOrderKeyPosInf};
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_

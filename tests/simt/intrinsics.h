// CUDA's names for barriers, votes, shuffles, reductions and fences.
#ifndef TESSERA_TESTS_SIMT_INTRINSICS_H_
#define TESSERA_TESTS_SIMT_INTRINSICS_H_

#include "tests/simt/collectives.h"
#include "tests/simt/options.h"

inline void __syncthreads(SIMT_SITE_PARAMETERS) {
  simt::emulator::BlockBarrier(simt::emulator::Vote::kNone, 0, SIMT_SITE);
}
inline int __syncthreads_count(int predicate, SIMT_SITE_PARAMETERS) {
  return simt::emulator::BlockBarrier(simt::emulator::Vote::kCount, predicate, SIMT_SITE);
}
inline int __syncthreads_and(int predicate, SIMT_SITE_PARAMETERS) {
  return simt::emulator::BlockBarrier(simt::emulator::Vote::kAnd, predicate, SIMT_SITE);
}
inline int __syncthreads_or(int predicate, SIMT_SITE_PARAMETERS) {
  return simt::emulator::BlockBarrier(simt::emulator::Vote::kOr, predicate, SIMT_SITE);
}

inline void __syncwarp(unsigned mask = 0xffffffffu, SIMT_SITE_PARAMETERS) {
  simt::emulator::WarpCollective(simt::emulator::Op::kSync, mask, 0, 0, SIMT_SITE);
}
inline unsigned __activemask() { return simt::emulator::ActiveMask(); }

inline unsigned __ballot_sync(unsigned mask, int predicate, SIMT_SITE_PARAMETERS) {
  return static_cast<unsigned>(simt::emulator::WarpCollective(simt::emulator::Op::kBallot, mask,
                                                              predicate != 0, 0, SIMT_SITE));
}
inline int __all_sync(unsigned mask, int predicate, SIMT_SITE_PARAMETERS) {
  return static_cast<int>(
      simt::emulator::WarpCollective(simt::emulator::Op::kAll, mask, predicate != 0, 0, SIMT_SITE));
}
inline int __any_sync(unsigned mask, int predicate, SIMT_SITE_PARAMETERS) {
  return static_cast<int>(
      simt::emulator::WarpCollective(simt::emulator::Op::kAny, mask, predicate != 0, 0, SIMT_SITE));
}
template <typename T>
unsigned __match_any_sync(unsigned mask, T value, SIMT_SITE_PARAMETERS) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  return static_cast<unsigned>(simt::emulator::WarpCollective(
      simt::emulator::Op::kMatchAny, mask, simt::emulator::ToBits(value), 0, SIMT_SITE));
}
template <typename T>
unsigned __match_all_sync(unsigned mask, T value, int* predicate, SIMT_SITE_PARAMETERS) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  const auto equal = static_cast<unsigned>(simt::emulator::WarpCollective(
      simt::emulator::Op::kMatchAll, mask, simt::emulator::ToBits(value), 0, SIMT_SITE));
  *predicate = equal != 0;
  return equal;
}

namespace simt::emulator {
template <typename T>
T Shuffle(unsigned mask, T value, int source, Site site) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  return FromBits<T>(WarpCollective(Op::kShuffle, mask, ToBits(value), source, site));
}
}  // namespace simt::emulator

// `width` is a power of two up to 32; a source outside the caller's group of that width is the
// caller.
template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, SIMT_SITE_PARAMETERS) {
  const int lane = static_cast<int>(simt::emulator::Lane());
  return simt::emulator::Shuffle(mask, value, (lane & ~(width - 1)) | (source & (width - 1)),
                                 SIMT_SITE);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_SITE_PARAMETERS) {
  const int lane = static_cast<int>(simt::emulator::Lane());
  const int source = lane - static_cast<int>(delta);
  return simt::emulator::Shuffle(mask, value, source < (lane & ~(width - 1)) ? lane : source,
                                 SIMT_SITE);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_SITE_PARAMETERS) {
  const int lane = static_cast<int>(simt::emulator::Lane());
  const int source = lane + static_cast<int>(delta);
  return simt::emulator::Shuffle(mask, value, source > (lane | (width - 1)) ? lane : source,
                                 SIMT_SITE);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, SIMT_SITE_PARAMETERS) {
  const int lane = static_cast<int>(simt::emulator::Lane());
  const int source = lane ^ lanes;
  return simt::emulator::Shuffle(mask, value, source > (lane | (width - 1)) ? lane : source,
                                 SIMT_SITE);
}

#define SIMT_REDUCE(name, T, op)                                                     \
  inline T name(unsigned mask, T value, SIMT_SITE_PARAMETERS) {                      \
    return static_cast<T>(simt::emulator::WarpCollective(                            \
        simt::emulator::Op::op, mask, simt::emulator::ToBits(value), 0, SIMT_SITE)); \
  }
SIMT_REDUCE(__reduce_add_sync, unsigned, kAdd)
SIMT_REDUCE(__reduce_add_sync, int, kAdd)
SIMT_REDUCE(__reduce_min_sync, unsigned, kUnsignedMin)
SIMT_REDUCE(__reduce_max_sync, unsigned, kUnsignedMax)
SIMT_REDUCE(__reduce_min_sync, int, kSignedMin)
SIMT_REDUCE(__reduce_max_sync, int, kSignedMax)
SIMT_REDUCE(__reduce_and_sync, unsigned, kAnd)
SIMT_REDUCE(__reduce_or_sync, unsigned, kOr)
SIMT_REDUCE(__reduce_xor_sync, unsigned, kXor)
#undef SIMT_REDUCE

inline void __threadfence() { simt::emulator::Fence(); }
inline void __threadfence_block() { simt::emulator::Fence(); }
inline void __threadfence_system() { simt::emulator::Fence(); }
inline void __nanosleep(unsigned) { simt::emulator::SpinPoint(); }
[[noreturn]] inline void __trap() { simt::emulator::Fail("__trap()"); }

#endif  // TESSERA_TESTS_SIMT_INTRINSICS_H_

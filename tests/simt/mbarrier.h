// The mbarriers of a block, seen from the copies that end at them.
#ifndef TESSERA_TESTS_SIMT_MBARRIER_H_
#define TESSERA_TESTS_SIMT_MBARRIER_H_

#include <string>

#include "tests/simt/machine.h"

namespace simt::emulator {

inline constexpr int64_t kMaxBarrierCount = (1 << 20) - 1;  // of arrivals, and of bytes

// The state of an initialised barrier of the running thread's block; fails for anything else.
BarrierState& FindBarrier(const Barrier* barrier, const char* what, Site site);

// Adds to the bytes that a barrier expects (negative: that arrived) and ends the phase when nothing
// is missing any more.
void AddBytes(BarrierState& state, int64_t bytes, const std::string& who);
void EndPhaseIfComplete(BarrierState& state);

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_MBARRIER_H_

// What a thread of an emulated kernel asks of the scheduler. The CUDA names (intrinsics.h) and the
// PTX executor are written with these; all of them are called by the running thread.
#ifndef TESSERA_TESTS_SIMT_COLLECTIVES_H_
#define TESSERA_TESTS_SIMT_COLLECTIVES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "tests/simt/options.h"

namespace simt::emulator {

enum class Op : unsigned {
  kShuffle,
  kBallot,
  kAll,
  kAny,
  kMatchAny,
  kMatchAll,
  kSync,
  kAdd,
  kUnsignedMin,
  kUnsignedMax,
  kSignedMin,
  kSignedMax,
  kAnd,
  kOr,
  kXor
};

// mask: the lanes taking part; value: this lane's operand; source: the lane that a shuffle reads.
uint64_t WarpCollective(Op op, unsigned mask, uint64_t value, int source, Site site);

enum class Vote { kNone, kCount, kAnd, kOr };
// __syncthreads and its votes.
int BlockBarrier(Vote vote, int predicate, Site site);

void ClusterArrive(Site site);
void ClusterWait(Site site);
unsigned ClusterRank();
unsigned ClusterBlocks();
// The address in the block `rank` of the cluster that corresponds to an address in this block's
// shared memory.
void* ClusterMap(void* own, unsigned rank);

void* DynamicShared();
size_t DynamicSharedBytes();

void AtomicPoint();  // where the schedule may preempt
void SpinPoint();    // always gives others a turn
void Fence();        // __threadfence of any scope
unsigned Lane();
unsigned ActiveMask();  // a legal answer: any subset that holds the caller

// Ends the launch: Launch throws Error with this text.
[[noreturn]] void Fail(const std::string& what);
// " block (x,y,z) thread (x,y,z)", for such texts.
std::string CurrentThread();

template <typename T>
uint64_t ToBits(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T>
T FromBits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_COLLECTIVES_H_

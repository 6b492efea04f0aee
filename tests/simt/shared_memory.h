// A block's shared memory: an arena of its own, garbage at first, fenced off at both ends, dead
// when the block ends.
#ifndef TESSERA_TESTS_SIMT_SHARED_MEMORY_H_
#define TESSERA_TESTS_SIMT_SHARED_MEMORY_H_

#include <cstddef>

#include "tests/simt/machine.h"

namespace simt::emulator {

inline constexpr size_t kMaxSharedBytes = 227 * 1024;  // of a block, on sm_90 and sm_100

void BeginSharedMemory(Block& block, size_t bytes);
// Fails when somebody wrote just below or behind it.
void EndSharedMemory(Block& block);
// Gives the arena back, also of a block that did not end.
void ReleaseSharedMemory(Block& block);

// Whether [address, address + bytes) lies in the block's shared memory.
bool InSharedMemory(const Block& block, const void* address, size_t bytes);

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_SHARED_MEMORY_H_

#include "tests/simt/shared_memory.h"

#include <string>

#include "tests/simt/page_pool.h"
#include "tests/simt/sanitizers.h"
#include "tests/simt/scheduler.h"

namespace simt::emulator {
namespace {

constexpr size_t kArenaBytes = 240 * 1024;
constexpr size_t kBelow = 4096;  // of the arena, before the shared memory
constexpr size_t kCanary = 128;  // bytes checked on each side
constexpr char kCanaryByte = 0x5A;
static_assert(kBelow + kMaxSharedBytes + kCanary <= kArenaBytes);

// Other garbage for each seed and block: what depends on it differs between seeds.
void FillWithGarbage(Block& block) {
  uint64_t state = machine->Random() | 1;
  for (size_t i = 0; i < block.shared_bytes; i += 8) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t word = state ^ state >> 29;
    std::memcpy(block.shared + i, &word, std::min<size_t>(8, block.shared_bytes - i));
  }
}

bool Intact(const char* canary) {
  for (size_t i = 0; i < kCanary; ++i) {
    if (canary[i] != kCanaryByte) {
      return false;
    }
  }
  return true;
}

}  // namespace

void BeginSharedMemory(Block& block, size_t bytes) {
  block.arena = SharedMemoryPool().Take(kArenaBytes);
  block.shared = block.arena + kBelow;
  block.shared_bytes = bytes;
  std::memset(block.shared - kCanary, kCanaryByte, kCanary);
  std::memset(block.shared + bytes, kCanaryByte, kCanary);
  FillWithGarbage(block);
  Poison(block.arena, kBelow);
  Poison(block.shared + bytes, kArenaBytes - kBelow - bytes);
}

void EndSharedMemory(Block& block) {
  if (!kAddressSanitizer &&  // which names the line of the access
      !(Intact(block.shared - kCanary) && Intact(block.shared + block.shared_bytes))) {
    Fail("a write outside of the shared memory of the block of " + CurrentThread());
  }
  if (block.cluster->blocks.size() > 1) {  // who still reads it reads something else
    FillWithGarbage(block);
  }
  Poison(block.arena, kArenaBytes);
}

void ReleaseSharedMemory(Block& block) {
  Unpoison(block.arena, kArenaBytes);
  SharedMemoryPool().GiveBack(block.arena);
}

bool InSharedMemory(const Block& block, const void* address, size_t bytes) {
  const auto* first = static_cast<const char*>(address);
  return first >= block.shared && first <= block.shared + block.shared_bytes &&
         bytes <= static_cast<size_t>(block.shared + block.shared_bytes - first);
}

void* DynamicShared() { return machine->current->block->shared; }

size_t DynamicSharedBytes() { return machine->current->block->shared_bytes; }

void* ClusterMap(void* own, unsigned rank) {
  const Unseen unseen;
  Thread* self = machine->current;
  Cluster& cluster = *self->block->cluster;
  if (rank >= cluster.blocks.size()) {
    Fail("ClusterMap: rank " + std::to_string(rank) + " of a cluster of " +
         std::to_string(cluster.blocks.size()) + " blocks, " + NameOf(self));
  }
  if (!InSharedMemory(*self->block, own, 0)) {
    Fail("ClusterMap: not an address of this block's shared memory, " + NameOf(self));
  }
  Block& peer = cluster.blocks[rank];
  if (peer.alive == 0) {
    Fail("ClusterMap: the shared memory of a block that has exited, " + NameOf(self));
  }
  return peer.shared + (static_cast<char*>(own) - self->block->shared);
}

}  // namespace simt::emulator

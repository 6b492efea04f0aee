// The emulated device while a launch runs: threads, warps, blocks, clusters and who is ready.
#ifndef TESSERA_TESTS_SIMT_MACHINE_H_
#define TESSERA_TESTS_SIMT_MACHINE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tests/simt/async_copy.h"
#include "tests/simt/collectives.h"
#include "tests/simt/cuda_types.h"
#include "tests/simt/fiber.h"
#include "tests/simt/launch.h"
#include "tests/simt/options.h"

namespace simt::emulator {

struct Block;
struct Cluster;
struct Warp;

enum class Wait : unsigned char { kNone, kWarp, kBlock, kCluster, kBarrier, kExited };

// A cp.async that was issued and not performed.
struct OpenCopy {
  void* to;
  const void* from;
  size_t bytes;
  CopyBytes copy;
  unsigned group;
};

struct Thread {
  Fiber fiber;
  uint3 index{};
  unsigned lane = 0;
  Block* block = nullptr;  // none: the host, which the launch comes from
  Warp* warp = nullptr;
  Wait wait = Wait::kNone;
  Site where{"", 0};                 // of the collective it waits in
  Op op = Op::kSync;                 // the warp collective it waits in
  const Barrier* barrier = nullptr;  // the mbarrier it waits for
  uint64_t result = 0;               // of the collective, left here by the last to arrive
  unsigned open_group = 0;           // number of cp.async groups committed
  std::deque<OpenCopy> copies;       // oldest first
  bool cluster_arrived = false;
  unsigned cluster_phase = 0;
};

// A warp collective that some of its lanes have reached.
struct Rendezvous {
  unsigned mask = 0;
  unsigned arrived = 0;
  Op op{};
  Site where{};
  void* token = nullptr;
  std::array<uint64_t, 32> value{};
  std::array<int, 32> source{};
};

struct Warp {
  std::array<Thread*, 32> lanes{};
  unsigned alive = 0;
  std::vector<Rendezvous> open;
  char tokens[64] = {};
  unsigned next_token = 0;
  uint64_t priority = 0;       // only in Order::kPriority, as is
  std::vector<Thread*> ready;  // the lanes that can run
};

// An mbarrier of a block, by its address.
struct BarrierState {
  unsigned arrivals = 0;  // of each phase
  unsigned pending = 0;   // still to come in this phase
  int64_t bytes = 0;      // expected and not yet copied; below 0: copied before it was expected
  uint64_t phase = 0;
  uint64_t copied_phases = 0;  // up to the last that a copy ended in
  uint64_t seen_phases = 0;    // up to the last whose end somebody waited for
  Thread* initialised_by = nullptr;
  bool fenced = false;  // visible to bulk copies
  std::vector<Thread*> waiting;
  char token[2] = {};  // by parity
};

struct BulkCopyInFlight {
  void* to;
  const void* from;
  size_t bytes;
  CopyBytes copy;
  Barrier* barrier;
  uint64_t phase;  // of the barrier at the issue
  Block* block;
  Site where;
  void* token;  // what the issue released
};

struct Block {
  uint3 index{};
  unsigned rank = 0;  // in its cluster
  unsigned alive = 0;
  Cluster* cluster = nullptr;
  std::deque<Thread> threads;
  std::deque<Warp> warps;
  // __syncthreads
  unsigned arrived = 0;
  int count = 0;  // of true predicates
  Vote vote = Vote::kNone;
  Site where{};
  unsigned generation = 0;
  std::vector<Thread*> waiting;
  char token[2] = {};
  // shared memory
  char* arena = nullptr;
  char* shared = nullptr;
  size_t shared_bytes = 0;
  std::map<const Barrier*, BarrierState> barriers;
};

struct Cluster {
  std::deque<Block> blocks;
  unsigned alive = 0;
  unsigned arrived = 0;
  unsigned phase = 0;
  std::vector<Thread*> waiting;
  char token[2] = {};
};

struct Machine {
  LaunchConfig config;
  void (*body)(void*) = nullptr;
  void* argument = nullptr;
  Thread host;
  Thread* current = nullptr;
  std::deque<Cluster> clusters;  // the resident ones
  Order order = Order::kForward;
  uint64_t random_state = 1;
  std::vector<Thread*> ring;  // ready threads but in Order::kPriority; [head, head + count) modulo
  size_t head = 0;            // its size, a power of two
  size_t count = 0;
  std::vector<Warp*> warps;
  unsigned alive = 0;
  std::vector<BulkCopyInFlight> bulk_copies;  // oldest first
  std::array<void*, 4> copy_engines{};        // ThreadSanitizer's threads that perform them
  size_t next_engine = 0;
  std::array<char, 256> copy_tokens{};
  size_t next_copy_token = 0;
  unsigned failed_tests = 0;  // of BarrierTest
  uint64_t spins = 0;         // since the last barrier or exit
  char start_token = 0;
  char end_token = 0;
  char fence_token = 0;
  std::string failure;

  uint64_t Random() {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545F4914F6CDD1Dull >> 16;
  }
  bool randomised() const { return order == Order::kRandom || order == Order::kPriority; }
};

// The machine of the launch that runs; null between launches.
extern Machine* machine;

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_MACHINE_H_

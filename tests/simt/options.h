// What a test sets before a launch and reads after it.
#ifndef TESSERA_TESTS_SIMT_OPTIONS_H_
#define TESSERA_TESTS_SIMT_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace simt {

// A defect of a kernel that the emulator saw: what, where in the source, and which thread.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace emulator {

// A place in the source of a kernel (or a line of PTX).
struct Site {
  const char* file;
  int line;
};

// kAutomatic: seed 0 forward, seed 1 reverse, even seeds random, odd seeds by warp priorities that
// change now and then.
enum class Order { kAutomatic, kForward, kReverse, kRandom, kPriority };

struct RunOptions {
  uint64_t seed = 0;  // same seed, same run
  Order order = Order::kAutomatic;
  unsigned preempt = 0;            // mean number of atomics between forced switches; 0 is never
  unsigned resident_clusters = 1;  // run together; more than one for blocks that wait for blocks
  bool strict = true;              // undefined collectives are errors
  bool late_copies = false;        // asynchronous copies are never performed before their wait
  size_t stack_bytes = 0;          // of one thread; 0 is 64 KiB, 256 KiB under a sanitizer
};

struct RunCounters {
  uint64_t switches = 0;
  uint64_t block_barriers = 0;
  uint64_t cluster_barriers = 0;
  uint64_t warp_collectives = 0;
  uint64_t atomics = 0;
  uint64_t threads = 0;
  uint64_t async_copies = 0;        // cp.async
  uint64_t bulk_copies = 0;         // cp.async.bulk
  uint64_t global_load_bytes = 0;   // through LoadGlobal, CopyAsync16 and BulkCopy
  uint64_t global_store_bytes = 0;  // through StoreGlobal
};

// Of the process; they hold from the next launch on.
RunOptions& Options();
// Sums over all launches since they were last assigned.
RunCounters& Counters();

}  // namespace emulator
}  // namespace simt

#define SIMT_SITE_PARAMETERS const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define SIMT_SITE \
  ::simt::emulator::Site { file, line }

#endif  // TESSERA_TESTS_SIMT_OPTIONS_H_

// cp.async.bulk: performed by nobody's thread, when all others wait, or earlier at random.
#include "tests/simt/global_traffic.h"
#include "tests/simt/mbarrier.h"
#include "tests/simt/sanitizers.h"
#include "tests/simt/scheduler.h"
#include "tests/simt/shared_memory.h"

namespace simt::emulator {
namespace {

std::string Who(const BulkCopyInFlight& copy) {
  return "BulkCopy at " + PlaceOf(copy.where) + " of " + std::to_string(copy.bytes) + " bytes";
}

void CheckCopy(const BulkCopyInFlight& copy) {
  const std::string who = ": " + Who(copy) + ", " + CurrentThread();
  const auto addresses =
      reinterpret_cast<uintptr_t>(copy.to) | reinterpret_cast<uintptr_t>(copy.from);
  if (addresses % 16 != 0) {
    Fail("an address is not aligned to 16 bytes" + who);
  }
  if (copy.bytes == 0 || copy.bytes % 16 != 0) {
    Fail("the size is not a positive multiple of 16 bytes" + who);
  }
  if (!InSharedMemory(*copy.block, copy.to, copy.bytes)) {
    Fail("not into this block's shared memory" + who);
  }
}

// Some copy in flight: the oldest, the newest or any, by the order of the launch.
BulkCopyInFlight TakeOne() {
  Machine& m = *machine;
  size_t index = 0;
  if (m.order == Order::kReverse) {
    index = m.bulk_copies.size() - 1;
  } else if (m.randomised()) {
    index = m.Random() % m.bulk_copies.size();
  }
  const BulkCopyInFlight copy = m.bulk_copies[index];
  m.bulk_copies.erase(m.bulk_copies.begin() + static_cast<std::ptrdiff_t>(index));
  return copy;
}

// For ThreadSanitizer the copying is done by threads of their own, ordered after the issue and
// before who waits for the barrier. A few of them, as one would order all copies among each other.
void CopyAsEngine(const BulkCopyInFlight& copy, BarrierState& state) {
  Machine& m = *machine;
  void* self = CurrentTsanFiber();
  void*& engine = m.copy_engines[m.next_engine++ % m.copy_engines.size()];
  if (kThreadSanitizer && engine == nullptr) {
    engine = TakeTsanFiber("bulk copy");
  }
  if (kThreadSanitizer) {
    SwitchTsanFiber(engine);
  }
  Acquire(copy.token);
  copy.copy(copy.to, copy.from, copy.bytes);
  Release(&state.token[copy.phase & 1]);
  Release(&m.end_token);
  if (kThreadSanitizer) {
    SwitchTsanFiber(self);
  }
}

}  // namespace

void BulkCopy(void* shared, const void* global, size_t bytes, Barrier* barrier, CopyBytes copy,
              Site site) {
  const Unseen unseen;
  Machine& m = *machine;
  const BarrierState& state = FindBarrier(barrier, "BulkCopy", site);
  void* token = &m.copy_tokens[m.next_copy_token++ % m.copy_tokens.size()];
  m.bulk_copies.push_back(BulkCopyInFlight{shared, global, bytes, copy, barrier, state.phase,
                                           m.current->block, site, token});
  CheckCopy(m.bulk_copies.back());
  if (!state.fenced) {
    Fail("no FenceBarrierInit after the init of its barrier: " + Who(m.bulk_copies.back()) + ", " +
         NameOf(m.current));
  }
  ++Counters().bulk_copies;
  CountLoad(global, bytes);
  Release(token);
  if (m.randomised() && !Options().late_copies && m.Random() % 8 == 0) {
    PerformBulkCopy();
  }
}

bool PerformBulkCopy() {
  const Unseen unseen;
  if (machine->bulk_copies.empty()) {
    return false;
  }
  const BulkCopyInFlight copy = TakeOne();
  BarrierState& state = copy.block->barriers.at(copy.barrier);
  if (state.phase != copy.phase) {
    Fail(
        "the barrier's phase ended before a copy that was issued in it: it expected too few "
        "bytes: " +
        Who(copy));
  }
  CopyAsEngine(copy, state);
  state.copied_phases = copy.phase + 1;
  AddBytes(state, -static_cast<int64_t>(copy.bytes), Who(copy));
  EndPhaseIfComplete(state);
  return true;
}

void CheckCopiesEnded(Block& block) {
  for (const BulkCopyInFlight& copy : machine->bulk_copies) {
    if (copy.block == &block) {
      Fail("the block ends while a copy into it is in flight: " + Who(copy) + ", last " +
           CurrentThread());
    }
  }
  for (const auto& [barrier, state] : block.barriers) {
    if (state.copied_phases > state.seen_phases) {
      Fail("the block ends and nobody waited for the copies of phase " +
           std::to_string(state.copied_phases - 1) + " of a barrier, last " + CurrentThread());
    }
  }
}

}  // namespace simt::emulator

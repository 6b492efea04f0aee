#include "tests/simt/mbarrier.h"

#include "tests/simt/sanitizers.h"
#include "tests/simt/scheduler.h"
#include "tests/simt/shared_memory.h"

namespace simt::emulator {
namespace {

// What an initialised barrier holds, so that a write over it is seen.
uint64_t Content(const Barrier* barrier) {
  return 0x6D62617272696572u ^ reinterpret_cast<uintptr_t>(barrier);
}

std::string Who(const char* what, Site site) {
  return std::string(what) + " at " + PlaceOf(site) + ", " + NameOf(machine->current);
}

bool HasEnded(const BarrierState& state, unsigned parity) { return (state.phase & 1) != parity; }

void SeeEnd(BarrierState& state, unsigned parity) {
  state.seen_phases = state.phase;
  Acquire(&state.token[parity]);
}

}  // namespace

BarrierState& FindBarrier(const Barrier* barrier, const char* what, Site site) {
  Block& block = *machine->current->block;
  const auto found = block.barriers.find(barrier);
  if (found == block.barriers.end()) {
    Fail("a barrier that is not initialised: " + Who(what, site));
  }
  if (barrier->state != Content(barrier)) {
    Fail("the memory of a barrier was written over: " + Who(what, site));
  }
  return found->second;
}

void AddBytes(BarrierState& state, int64_t bytes, const std::string& who) {
  state.bytes += bytes;
  if (state.bytes > kMaxBarrierCount || state.bytes < -kMaxBarrierCount) {
    Fail("a barrier waits for " + std::to_string(state.bytes) +
         " bytes; the count must stay within +-" + std::to_string(kMaxBarrierCount) + ": " + who);
  }
}

void EndPhaseIfComplete(BarrierState& state) {
  if (state.pending != 0 || state.bytes != 0) {
    return;
  }
  ++state.phase;
  state.pending = state.arrivals;
  for (Thread* thread : state.waiting) {
    MakeReady(thread);
  }
  state.waiting.clear();
}

void BarrierInit(Barrier* barrier, unsigned arrivals, Site site) {
  const Unseen unseen;
  Thread* self = machine->current;
  if (!InSharedMemory(*self->block, barrier, sizeof(Barrier)) ||
      reinterpret_cast<uintptr_t>(barrier) % sizeof(Barrier) != 0) {
    Fail("a barrier must lie in the block's shared memory, aligned to 8 bytes: " +
         Who("BarrierInit", site));
  }
  if (arrivals < 1 || arrivals > kMaxBarrierCount) {
    Fail("arrivals are " + std::to_string(arrivals) + "; they must be in [1, " +
         std::to_string(kMaxBarrierCount) + "]: " + Who("BarrierInit", site));
  }
  if (self->block->barriers.count(barrier) != 0) {
    Fail("a barrier is initialised twice: " + Who("BarrierInit", site));
  }
  BarrierState& state = self->block->barriers[barrier];
  state.arrivals = arrivals;
  state.pending = arrivals;
  state.initialised_by = self;
  barrier->state = Content(barrier);
}

void FenceBarrierInit() {
  const Unseen unseen;
  Thread* self = machine->current;
  for (auto& [barrier, state] : self->block->barriers) {
    if (state.initialised_by == self) {
      state.fenced = true;
    }
  }
}

void BarrierExpectOnly(Barrier* barrier, unsigned bytes, Site site) {
  const Unseen unseen;
  BarrierState& state = FindBarrier(barrier, "BarrierExpect", site);
  Release(&state.token[state.phase & 1]);
  AddBytes(state, bytes, Who("BarrierExpect", site));
  EndPhaseIfComplete(state);
}

void BarrierArrive(Barrier* barrier, unsigned bytes, Site site) {
  const Unseen unseen;
  BarrierState& state = FindBarrier(barrier, "BarrierArrive", site);
  Release(&state.token[state.phase & 1]);
  AddBytes(state, bytes, Who("BarrierArrive", site));
  if (state.pending == 0) {
    Fail("more arrivals than the barrier's " + std::to_string(state.arrivals) + ": " +
         Who("BarrierArrive", site));
  }
  --state.pending;
  EndPhaseIfComplete(state);
}

void BarrierWait(Barrier* barrier, unsigned parity, Site site) {
  const Unseen unseen;
  Thread* self = machine->current;
  BarrierState& state = FindBarrier(barrier, "BarrierWait", site);
  while (!HasEnded(state, parity)) {
    self->barrier = barrier;
    self->where = site;
    state.waiting.push_back(self);
    Park(Wait::kBarrier);
  }
  SeeEnd(state, parity);
}

bool BarrierTest(Barrier* barrier, unsigned parity, Site site) {
  const Unseen unseen;
  BarrierState& state = FindBarrier(barrier, "BarrierTest", site);
  if (HasEnded(state, parity)) {
    SeeEnd(state, parity);
    return true;
  }
  if (++machine->failed_tests % 16 == 0) {  // who only asks must not wait forever
    PerformBulkCopy();
  }
  Yield();
  return false;
}

}  // namespace simt::emulator

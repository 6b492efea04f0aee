#include "tests/simt/scheduler.h"

#include <utility>

#include "tests/simt/emulator.h"
#include "tests/simt/sanitizers.h"

uint3 threadIdx{}, blockIdx{};
dim3 blockDim, gridDim;

namespace simt::emulator {

Machine* machine = nullptr;

namespace {

constexpr uint64_t kMaxSpins = 1 << 24;  // half a second

// Probabilistic concurrency testing: the ready warp of highest priority runs; now and then a warp
// gets another priority.
Thread* PickByPriority() {
  Machine& m = *machine;
  if (m.Random() % 64 == 0) {
    m.warps[m.Random() % m.warps.size()]->priority = m.Random() >> 8;
  }
  Warp* best = nullptr;
  for (Warp* warp : m.warps) {
    if (!warp->ready.empty() && (best == nullptr || warp->priority > best->priority)) {
      best = warp;
    }
  }
  if (best == nullptr) {
    return nullptr;
  }
  std::swap(best->ready[m.Random() % best->ready.size()], best->ready.back());
  Thread* thread = best->ready.back();
  best->ready.pop_back();
  return thread;
}

Thread*& RingSlot(size_t i) {
  Machine& m = *machine;
  return m.ring[(m.head + i) & (m.ring.size() - 1)];
}

Thread* Pick() {
  Machine& m = *machine;
  if (m.order == Order::kPriority) {
    return PickByPriority();
  }
  if (m.count == 0) {
    return nullptr;
  }
  --m.count;
  if (m.order == Order::kForward) {
    return m.ring[m.head++ & (m.ring.size() - 1)];
  }
  if (m.order == Order::kRandom) {
    std::swap(RingSlot(m.Random() % (m.count + 1)), RingSlot(m.count));
  }
  return RingSlot(m.count);
}

}  // namespace

void Enqueue(Thread* thread) {
  if (machine->order == Order::kPriority) {
    thread->warp->ready.push_back(thread);
  } else {
    RingSlot(machine->count++) = thread;
  }
}

void MakeReady(Thread* thread) {
  thread->wait = Wait::kNone;
  Enqueue(thread);
}

Thread* NextThread() {
  Machine& m = *machine;
  if (!m.bulk_copies.empty() && m.randomised() && !Options().late_copies && m.Random() % 32 == 0) {
    PerformBulkCopy();
  }
  for (;;) {
    if (Thread* thread = Pick()) {
      return thread;
    }
    if (!PerformBulkCopy()) {
      return nullptr;
    }
  }
}

void SwitchTo(Thread* thread, bool last) {
  Thread* from = machine->current;
  if (thread == from) {
    return;
  }
  ++Counters().switches;
  machine->current = thread;
  if (thread->block != nullptr) {
    threadIdx = thread->index;
    blockIdx = thread->block->index;
  }
  SwitchFiber(from->fiber, thread->fiber, last);
}

void Park(Wait wait) {
  machine->current->wait = wait;
  Thread* next = NextThread();
  if (next == nullptr) {
    Fail("deadlock: no thread can go on" + WhoWaits());
  }
  SwitchTo(next);
}

void Yield() {
  Machine& m = *machine;
  if (m.order == Order::kReverse) {  // behind all others: the last to be enqueued would be next
    --m.head;
    ++m.count;
    RingSlot(0) = m.current;
  } else {
    Enqueue(m.current);
  }
  SwitchTo(NextThread());
}

void SpinPoint() {
  const Unseen unseen;
  if (++machine->spins > kMaxSpins) {
    Fail("livelock: " + std::to_string(kMaxSpins) + " spins and no barrier or exit between them" +
         WhoWaits());
  }
  Yield();
}

void AtomicPoint() {
  const Unseen unseen;
  ++Counters().atomics;
  const unsigned preempt = Options().preempt;
  if (preempt != 0 && machine->randomised() && machine->Random() % preempt == 0) {
    Yield();
  }
}

void Fence() {
  Acquire(&machine->fence_token);
  Release(&machine->fence_token);
}

Thread* Retire() {
  const Unseen unseen;
  Machine& m = *machine;
  Thread* self = m.current;
  if (!self->copies.empty()) {
    Fail("cp.async never waited for, " + NameOf(self));
  }
  self->wait = Wait::kExited;
  --m.alive;
  m.spins = 0;
  LeaveBlock(self);
  LeaveCluster(self);
  Thread* next = NextThread();
  if (next == nullptr && m.alive != 0) {
    Fail("deadlock: no thread can go on" + WhoWaits());
  }
  return next != nullptr ? next : &m.host;
}

}  // namespace simt::emulator

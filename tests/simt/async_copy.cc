// cp.async: performed by the thread that issued it, at the latest moment its waits allow, now and
// then at once.
#include "tests/simt/async_copy.h"

#include "tests/simt/global_traffic.h"
#include "tests/simt/sanitizers.h"
#include "tests/simt/scheduler.h"
#include "tests/simt/shared_memory.h"

namespace simt::emulator {
namespace {

void CheckCopy(const Thread& self, const void* shared, const void* global, size_t bytes,
               Site site) {
  const std::string who = " at " + PlaceOf(site) + ", " + NameOf(&self);
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    Fail("cp.async of " + std::to_string(bytes) + " bytes; it must be 4, 8 or 16" + who);
  }
  if ((reinterpret_cast<uintptr_t>(shared) | reinterpret_cast<uintptr_t>(global)) % bytes != 0) {
    Fail("cp.async: address not aligned to its " + std::to_string(bytes) + " bytes" + who);
  }
  if (!InSharedMemory(*self.block, shared, bytes)) {
    Fail("cp.async: not into this block's shared memory" + who);
  }
}

bool TakeDue(unsigned keep, OpenCopy* due) {
  const Unseen unseen;
  Thread* self = machine->current;
  if (self->copies.empty() || self->open_group - self->copies.front().group <= keep) {
    return false;
  }
  *due = self->copies.front();
  self->copies.pop_front();
  return true;
}

// Takes note of a copy; true when it is to be performed at once.
bool Note(const OpenCopy& copy, Site site) {
  const Unseen unseen;
  Machine& m = *machine;
  CheckCopy(*m.current, copy.to, copy.from, copy.bytes, site);
  ++Counters().async_copies;
  CountLoad(copy.from, copy.bytes);
  if (m.randomised() && !Options().late_copies && m.Random() % 4 == 0) {
    return true;
  }
  m.current->copies.push_back(copy);
  m.current->copies.back().group = m.current->open_group;
  return false;
}

}  // namespace

void AsyncCopy(void* shared, const void* global, size_t bytes, CopyBytes copy, Site site) {
  if (Note(OpenCopy{shared, global, bytes, copy, 0}, site)) {
    copy(shared, global, bytes);
  }
}

void AsyncCopyCommit() { ++machine->current->open_group; }

void AsyncCopyWait(unsigned keep) {
  OpenCopy due{};
  while (TakeDue(keep, &due)) {
    due.copy(due.to, due.from, due.bytes);
  }
}

}  // namespace simt::emulator

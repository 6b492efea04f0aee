// Who runs next. One OS thread plays all threads of a launch; they change places only in the calls
// of collectives.h and async_copy.h.
#ifndef TESSERA_TESTS_SIMT_SCHEDULER_H_
#define TESSERA_TESTS_SIMT_SCHEDULER_H_

#include <string>

#include "tests/simt/machine.h"

namespace simt::emulator {

void Enqueue(Thread* thread);    // it can run
void MakeReady(Thread* thread);  // and waits no more

// The next to run, by the order of the launch; performs bulk copies when nobody is ready. Null when
// nothing can happen any more.
Thread* NextThread();

// Gives the processor to another thread; `last` when the running one has ended.
void SwitchTo(Thread* thread, bool last = false);

// Leaves the running thread until somebody makes it ready. Fails when nobody can run.
void Park(Wait wait);
// Lets others run; the running thread stays ready.
void Yield();

const char* NameOf(Op op);
std::string NameOf(const Thread* thread);
std::string PlaceOf(Site site);
bool SamePlace(Site a, Site b);
// How many threads wait where, one line each.
std::string WhoWaits();

// The running thread has returned from the kernel. Says who runs next.
Thread* Retire();
// What a thread's exit means to the barriers of its block and cluster.
void LeaveBlock(Thread* thread);
void LeaveCluster(Thread* thread);
// What the end of a block means to its copies in flight.
void CheckCopiesEnded(Block& block);

// Performs one bulk copy in flight and counts it at its barrier; false when there is none.
bool PerformBulkCopy();

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_SCHEDULER_H_

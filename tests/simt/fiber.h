// A stack that can be left and come back to, known to the sanitizers.
#ifndef TESSERA_TESTS_SIMT_FIBER_H_
#define TESSERA_TESTS_SIMT_FIBER_H_

#include <cstddef>

#if !defined(__x86_64__) || defined(SIMT_UCONTEXT)
#define SIMT_USE_UCONTEXT 1
#include <ucontext.h>
#endif

namespace simt::emulator {

struct Fiber {
#ifdef SIMT_USE_UCONTEXT
  ucontext_t saved;
#endif
  void* stack_pointer = nullptr;  // while it does not run
  char* stack = nullptr;          // its lowest byte
  size_t stack_bytes = 0;
  void* fake_stack = nullptr;  // AddressSanitizer's
  void* tsan = nullptr;        // ThreadSanitizer's thread
};

// Makes `fiber`, whose stack is set, begin with `entry`, which never returns.
void PrepareFiber(Fiber& fiber, void (*entry)());

// Leaves `from`, which runs, for `to`. `last` when nothing comes back to `from`.
void SwitchFiber(Fiber& from, Fiber& to, bool last);

// The first thing a fiber's entry does: completes the switch. `host` is the fiber that a launch
// comes from; the bounds of its stack are noted on the first switch away from it.
void EnterFiber(Fiber& host);

// ThreadSanitizer's threads cost milliseconds each: they are pooled, oldest first, so that a thread
// of the next block, which may be ordered after the former owner, is rarely its direct successor.
void* TakeTsanFiber(const char* name);
void GiveBackTsanFiber(void* fiber);
// The host's own, and a change of thread without a change of stack.
void* CurrentTsanFiber();
void SwitchTsanFiber(void* fiber);

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_FIBER_H_

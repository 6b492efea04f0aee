#include "tests/simt/fiber.h"

#include <deque>

#include "tests/simt/sanitizers.h"

#ifndef SIMT_USE_UCONTEXT
// Saves the callee-saved registers, exchanges the stack pointer, restores: 5 ns, where swapcontext
// and its system call take 300.
extern "C" void simt_switch_stack(void** save, void* load);
asm(R"(
.text
.globl simt_switch_stack
.type simt_switch_stack,@function
simt_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size simt_switch_stack,.-simt_switch_stack
)");
#endif

namespace simt::emulator {

void PrepareFiber(Fiber& fiber, void (*entry)()) {
#ifdef SIMT_USE_UCONTEXT
  getcontext(&fiber.saved);
  fiber.saved.uc_stack.ss_sp = fiber.stack;
  fiber.saved.uc_stack.ss_size = fiber.stack_bytes;
  fiber.saved.uc_link = nullptr;
  makecontext(&fiber.saved, entry, 0);
#else
  void** top = reinterpret_cast<void**>(fiber.stack + fiber.stack_bytes);
  *--top = nullptr;  // the return address of entry; leaves rsp = 8 mod 16 there
  *--top = reinterpret_cast<void*>(entry);
  for (int i = 0; i < 6; ++i) {
    *--top = nullptr;
  }
  fiber.stack_pointer = top;
#endif
}

void SwitchFiber(Fiber& from, Fiber& to, bool last) {
#ifdef SIMT_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(last ? nullptr : &from.fake_stack, to.stack, to.stack_bytes);
#else
  (void)last;
#endif
  SwitchTsanFiber(to.tsan);
#ifdef SIMT_USE_UCONTEXT
  swapcontext(&from.saved, &to.saved);
#else
  simt_switch_stack(&from.stack_pointer, to.stack_pointer);
#endif
#ifdef SIMT_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

void EnterFiber(Fiber& host) {
#ifdef SIMT_ADDRESS_SANITIZER
  const void* stack = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(nullptr, &stack, &bytes);
  if (host.stack == nullptr) {
    host.stack = static_cast<char*>(const_cast<void*>(stack));
    host.stack_bytes = bytes;
  }
#else
  (void)host;
#endif
}

#ifdef SIMT_THREAD_SANITIZER
namespace {
std::deque<void*>& TsanFibers() {
  static std::deque<void*>& fibers = *new std::deque<void*>;
  return fibers;
}
}  // namespace

void* TakeTsanFiber(const char* name) {
  const Unseen unseen;
  void* fiber = nullptr;
  if (TsanFibers().empty()) {
    fiber = __tsan_create_fiber(0);
  } else {
    fiber = TsanFibers().front();
    TsanFibers().pop_front();
  }
  __tsan_set_fiber_name(fiber, name);
  return fiber;
}

void GiveBackTsanFiber(void* fiber) {
  const Unseen unseen;
  TsanFibers().push_back(fiber);
}

void* CurrentTsanFiber() { return __tsan_get_current_fiber(); }

// Flag 1: the switch itself orders nothing.
void SwitchTsanFiber(void* fiber) { __tsan_switch_to_fiber(fiber, 1); }
#else
void* TakeTsanFiber(const char*) { return nullptr; }
void GiveBackTsanFiber(void*) {}
void* CurrentTsanFiber() { return nullptr; }
void SwitchTsanFiber(void*) {}
#endif

}  // namespace simt::emulator

// What the scheduler tells AddressSanitizer and ThreadSanitizer. Without them all of it is nothing.
//
// The emulator itself is never compiled with -fsanitize=thread: its own state is no part of a
// kernel's memory model. SIMT_THREAD_SANITIZER says that the program around it is.
#ifndef TESSERA_TESTS_SIMT_SANITIZERS_H_
#define TESSERA_TESTS_SIMT_SANITIZERS_H_

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef SIMT_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#ifdef SIMT_THREAD_SANITIZER
extern "C" {
void* __tsan_get_current_fiber(void);
void* __tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_set_fiber_name(void* fiber, const char* name);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace simt::emulator {

#ifdef SIMT_THREAD_SANITIZER
inline constexpr bool kThreadSanitizer = true;
// An address that order goes through: what came before a release is seen after an acquire.
inline void Release(void* token) { __tsan_release(token); }
inline void Acquire(void* token) { __tsan_acquire(token); }

// While it lives, the running thread's accesses are not the kernel's: templates of the standard
// library may be the instrumented ones, whoever instantiated them.
class Unseen {
 public:
  Unseen() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~Unseen() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;
};
#else
inline constexpr bool kThreadSanitizer = false;
inline void Release(void*) {}
inline void Acquire(void*) {}
class Unseen {
 public:
  Unseen() {}
  ~Unseen() {}
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;
};
#endif

#ifdef SIMT_ADDRESS_SANITIZER
inline constexpr bool kAddressSanitizer = true;
inline void Poison(const void* begin, size_t bytes) { __asan_poison_memory_region(begin, bytes); }
inline void Unpoison(const void* begin, size_t bytes) {
  __asan_unpoison_memory_region(begin, bytes);
}
#else
inline constexpr bool kAddressSanitizer = false;
inline void Poison(const void*, size_t) {}
inline void Unpoison(const void*, size_t) {}
#endif

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_SANITIZERS_H_

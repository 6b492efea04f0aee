// Says why a test over every float would take too long in this build.
#ifndef TESSERA_TESTS_MATH_EXHAUSTIVE_H_
#define TESSERA_TESTS_MATH_EXHAUSTIVE_H_

namespace tessera {

// Null where exhaustive tests run; else the reason to print with the skip.
inline const char* WhyNotExhaustive() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return "billions of steps are too slow under a sanitizer; the plain build runs this test";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return "billions of steps are too slow under a sanitizer; the plain build runs this test";
#endif
#endif
#ifndef __OPTIMIZE__
  return "billions of steps are too slow without optimization; the plain build runs this test";
#else
  return nullptr;
#endif
}

}  // namespace tessera

// First line of a test over every float.
#define TESSERA_SKIP_UNLESS_EXHAUSTIVE() \
  if (const char* reason = ::tessera::WhyNotExhaustive()) GTEST_SKIP() << reason

#endif  // TESSERA_TESTS_MATH_EXHAUSTIVE_H_

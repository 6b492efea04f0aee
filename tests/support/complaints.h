// Collects what is wrong with a result, in words; the first few of it.
#ifndef TESSERA_TESTS_SUPPORT_COMPLAINTS_H_
#define TESSERA_TESTS_SUPPORT_COMPLAINTS_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace tessera::testing {

// A unit in the last place of the binary32 result, for a value that executors compute in double.
inline bool SameRounded(float value, long double expected) {
  constexpr long double kLowest = std::numeric_limits<float>::lowest();
  expected = std::max(expected, kLowest);  // -inf is for ids outside the support alone
  return std::fabs(value - expected) <= 0x1p-23L * std::fabs(expected) + 1e-14L;
}

class Complaints {
 public:
  template <class A, class B>
  void Same(const std::string& what, const A& got, const B& expected) {
    if (!(got == expected)) Add(what, got, expected);
  }
  void SameLogprob(const std::string& what, float got, long double expected) {
    if (!SameRounded(got, expected)) Add(what, got, expected);
  }
  void Near(const std::string& what, double got, long double expected, double tolerance) {
    if (!(std::fabs(got - expected) <= tolerance)) Add(what, got, expected);
  }
  void IsNan(const std::string& what, float got) {
    if (!std::isnan(got)) Add(what, got, "NaN");
  }
  std::string text() const { return out_.str(); }

 private:
  template <class A, class B>
  void Add(const std::string& what, const A& got, const B& expected) {
    constexpr int kShown = 6;
    if (++count_ > kShown) return;
    out_.precision(12);
    out_ << what << " is " << got << ", expected " << expected << '\n';
  }
  int count_ = 0;
  std::ostringstream out_;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_COMPLAINTS_H_

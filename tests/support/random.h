// Random numbers that a seed decides, the same with every standard library.
#ifndef TESSERA_TESTS_SUPPORT_RANDOM_H_
#define TESSERA_TESTS_SUPPORT_RANDOM_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace tessera::testing {

// Engines are specified bit by bit, standard distributions are not: this uses engines only.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t Word() { return engine_(); }
  int64_t Below(int64_t limit) { return static_cast<int64_t>(engine_() % limit); }
  bool OneIn(int64_t n) { return Below(n) == 0; }
  double Unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  // in [0, 1)
  double Between(double low, double high) { return low + (high - low) * Unit(); }
  double Normal() {
    const double radius = std::sqrt(-2 * std::log(1 - Unit()));
    return radius * std::cos(6.283185307179586 * Unit());
  }
  template <class T, size_t N>
  T Pick(const T (&choices)[N]) {
    return choices[Below(N)];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_RANDOM_H_

// Logarithms, exponential and power of doubles: our own, so that the bits do not depend on the C
// library. Every product that feeds a sum is an explicit Fma.
//
// Largest errors seen in units of the last place, against long double (tests/math/log_test.cc): Log
// and Log2 0.501, Exp 0.53 for normal results, Pow 0.55 where |y ln x| <= 40 and 1.2 elsewhere.
#ifndef TESSERA_KERNELS_MATH_LOG_H_
#define TESSERA_KERNELS_MATH_LOG_H_

#include <cstdint>
#include <limits>

#include "kernels/math/host_device.h"

namespace tessera {

inline constexpr double kLog2E = 0x1.71547652b82fep+0;  // log2(e)
inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;    // ln(2)

namespace log_internal {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLn2High = 0x1.62e42fefa0000p-1;  // 38 bits: k * kLn2High is exact
inline constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
inline constexpr double kLog2ELow = 0x1.777d0ffda0d24p-56;
inline constexpr double kThird = 0x1.5555555555555p-2;
inline constexpr double kThirdLow = 0x1.5555555555555p-56;

// A sum of two doubles of which `low` is the smaller.
struct Pair {
  double high;
  double low;
};

// a + b exactly. REQUIRES: |a| >= |b|, or a == 0.
TESSERA_HD inline Pair FastSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// x = 2^octave * m, m in [sqrt(1/2), sqrt(2)], and ln(m) as a pair.
struct Reduced {
  double octave;
  Pair ln;
};

// ln(m) = 2 atanh(s), s = (m - 1) / (m + 1), |s| < 0.1716, by its power series. s and the cubic
// term are kept as pairs; the rest is below 2^-12 of the sum.
TESSERA_HD inline Pair LogNearOne(double m) {
  const double f = m - 1.0;
  const Pair divisor = FastSum(2.0, f);
  const double s = f / divisor.high;
  const double s_low = Fma(-s, divisor.low, Fma(-s, divisor.high, f)) / divisor.high;
  const double z = s * s;
  const double z_low = Fma(2.0 * s, s_low, Fma(s, s, -z));
  const double cube = s * z;
  const double cube_low = Fma(s, z, -cube) + Fma(s, z_low, s_low * z);
  const double third = cube * kThird;
  const double third_low = Fma(cube, kThird, -third) + Fma(cube, kThirdLow, cube_low * kThird);
  double p = Fma(z, 1.0 / 23, 1.0 / 21);
  p = Fma(p, z, 1.0 / 19);
  p = Fma(p, z, 1.0 / 17);
  p = Fma(p, z, 1.0 / 15);
  p = Fma(p, z, 1.0 / 13);
  p = Fma(p, z, 1.0 / 11);
  p = Fma(p, z, 1.0 / 9);
  p = Fma(p, z, 1.0 / 7);
  p = Fma(p, z, 1.0 / 5);
  const Pair sum = FastSum(s, third);
  const double low = sum.low + Fma(cube * z, p, s_low + third_low);
  return FastSum(2.0 * sum.high, 2.0 * low);
}

// REQUIRES: x positive and finite.
TESSERA_HD inline Reduced Reduce(double x) {
  int octave = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    octave = -54;
  }
  octave += static_cast<int>(BitsOf(x) >> 52) - 1023;
  double m = DoubleOf((BitsOf(x) & 0xFFFFFFFFFFFFFu) | uint64_t{1023} << 52);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    ++octave;
  }
  return {static_cast<double>(octave), LogNearOne(m)};
}

// ln(x) as a pair. REQUIRES: x positive and finite.
TESSERA_HD inline Pair LogPair(double x) {
  const Reduced reduced = Reduce(x);
  const Pair sum = FastSum(reduced.octave * kLn2High, reduced.ln.high);
  return FastSum(sum.high, sum.low + Fma(reduced.octave, kLn2Low, reduced.ln.low));
}

// 2^k for k in [-1022, 1023].
TESSERA_HD inline double PowerOfTwo(int k) {
  return DoubleOf(static_cast<uint64_t>(1023 + k) << 52);
}

// exp(x + low) for a small `low`: x = k ln 2 + r, |r| < 0.35, and the power series of exp(r).
TESSERA_HD inline double ExpOfPair(double x, double low) {
  if (!(x == x)) return x;
  if (x > 709.79) return kInfinity;
  if (x < -745.14) return 0.0;
  const double k = Fma(x, kLog2E, 0x1.8p52) - 0x1.8p52;
  const double high = Fma(-k, kLn2High, x);  // exact
  const double r = Fma(-k, kLn2Low, high + low);
  const double r_low = Fma(-k, kLn2Low, high - r) + low;
  double p = Fma(r, 1.0 / 87178291200, 1.0 / 6227020800);
  p = Fma(p, r, 1.0 / 479001600);
  p = Fma(p, r, 1.0 / 39916800);
  p = Fma(p, r, 1.0 / 3628800);
  p = Fma(p, r, 1.0 / 362880);
  p = Fma(p, r, 1.0 / 40320);
  p = Fma(p, r, 1.0 / 5040);
  p = Fma(p, r, 1.0 / 720);
  p = Fma(p, r, 1.0 / 120);
  p = Fma(p, r, 1.0 / 24);
  p = Fma(p, r, 1.0 / 6);
  const double square = r * r;
  const double square_low = Fma(r, r, -square);
  const Pair linear = FastSum(1.0, r);
  const Pair quadratic = FastSum(linear.high, 0.5 * square);
  const double rest = Fma(square * r, p, Fma(0.5, square_low, Fma(r_low, r, r_low)));
  const double result = quadratic.high + (quadratic.low + (linear.low + rest));
  const int octave = static_cast<int>(k);  // in [-1075, 1024]: two factors, one rounding
  return result * PowerOfTwo(octave / 2) * PowerOfTwo(octave - octave / 2);
}

}  // namespace log_internal

// ln(x); -inf at 0, NaN below.
TESSERA_HD inline double Log(double x) {
  if (x == 0) return -log_internal::kInfinity;
  if (!(x > 0)) return log_internal::kNan;
  if (x == log_internal::kInfinity) return x;
  return log_internal::LogPair(x).high;
}

// log2(x), exact at powers of two; -inf at 0, NaN below.
TESSERA_HD inline double Log2(double x) {
  if (x == 0) return -log_internal::kInfinity;
  if (!(x > 0)) return log_internal::kNan;
  if (x == log_internal::kInfinity) return x;
  const log_internal::Reduced reduced = log_internal::Reduce(x);
  const log_internal::Pair ln = reduced.ln;
  const double product = ln.high * kLog2E;
  const double rest = Fma(ln.high, kLog2E, -product);
  const double low = Fma(ln.high, log_internal::kLog2ELow, Fma(ln.low, kLog2E, rest));
  const log_internal::Pair sum = log_internal::FastSum(reduced.octave, product);
  return sum.high + (sum.low + low);
}

// e^x; 0 below the subnormals, +inf beyond the largest double.
TESSERA_HD inline double Exp(double x) { return log_internal::ExpOfPair(x, 0.0); }

// x^y for x >= 0; NaN for a negative x. x^0 and 1^y are 1.
TESSERA_HD inline double Pow(double x, double y) {
  if (y == 0 || x == 1) return 1.0;
  if (!(x >= 0) || !(y == y)) return log_internal::kNan;
  if (x == 0) return y > 0 ? 0.0 : log_internal::kInfinity;
  if (x == log_internal::kInfinity) return y > 0 ? x : 0.0;
  const log_internal::Pair ln = log_internal::LogPair(x);
  const double product = y * ln.high;
  const double low = Fma(y, ln.low, Fma(y, ln.high, -product));
  return log_internal::ExpOfPair(product, low);
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_LOG_H_

// What lets one source mean the same bits on g++, clang and nvcc: the function prefix, fused
// multiply-add, square root and bit casts. Everything else in kernels/math is built on these.
#ifndef TESSERA_KERNELS_MATH_HOST_DEVICE_H_
#define TESSERA_KERNELS_MATH_HOST_DEVICE_H_

#include <bit>
#include <cmath>
#include <cstdint>

// Fast-math reorders sums and drops NaN and infinity: no bit of this folder would survive it.
#if defined(__FAST_MATH__) || defined(__USE_FAST_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "Tessera's arithmetic is defined bit by bit; build it without fast-math"
#endif

#ifdef __CUDACC__
#define TESSERA_HD __host__ __device__
#define TESSERA_HD_CALLED __host__ __device__ __noinline__  // rare: not to take registers around it
#define TESSERA_NO_UNROLL _Pragma("unroll 1")  // a loop whose copies would cost registers and code
#define TESSERA_UNROLL _Pragma("unroll")       // a loop over an array that must stay in registers
#else
#define TESSERA_HD
#define TESSERA_HD_CALLED
#define TESSERA_NO_UNROLL
#define TESSERA_UNROLL
#endif

namespace tessera {

// a * b + c with one rounding, to nearest even.
TESSERA_HD inline float Fma(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

TESSERA_HD inline double Fma(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return __fma_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

// The IEEE square root, correctly rounded.
TESSERA_HD inline double Sqrt(double x) {
#ifdef __CUDA_ARCH__
  return __dsqrt_rn(x);
#else
  return std::sqrt(x);
#endif
}

TESSERA_HD inline uint32_t BitsOf(float x) {
#ifdef __CUDA_ARCH__
  return __float_as_uint(x);
#else
  return std::bit_cast<uint32_t>(x);
#endif
}

TESSERA_HD inline float FloatOf(uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  return std::bit_cast<float>(bits);
#endif
}

TESSERA_HD inline uint64_t BitsOf(double x) {
#ifdef __CUDA_ARCH__
  return static_cast<uint64_t>(__double_as_longlong(x));
#else
  return std::bit_cast<uint64_t>(x);
#endif
}

TESSERA_HD inline double DoubleOf(uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __longlong_as_double(static_cast<long long>(bits));
#else
  return std::bit_cast<double>(bits);
#endif
}

// rint(x), ties to even, for x in [0, 2^32).
TESSERA_HD inline uint32_t RoundToUint32(float x) {
  // Adding 2^23 leaves no fraction bits; from 2^23 on a float has none anyway.
  return x < 0x1p23f ? BitsOf(x + 0x1p23f) - 0x4B000000u : static_cast<uint32_t>(x);
}

// The same for x in [0, 2^63).
TESSERA_HD inline uint64_t RoundToUint64(float x) {
#ifdef __CUDA_ARCH__
  return __float2ull_rn(x);
#else
  return x < 0x1p23f ? RoundToUint32(x) : static_cast<uint64_t>(x);
#endif
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_MATH_HOST_DEVICE_H_

// CUDA's atomics, with relaxed order as on the device, and its cached loads and stores.
#ifndef TESSERA_TESTS_SIMT_ATOMICS_H_
#define TESSERA_TESTS_SIMT_ATOMICS_H_

#include <type_traits>

#include "tests/simt/collectives.h"

#define SIMT_ATOMIC(name, builtin)                                                           \
  template <typename T>                                                                      \
  std::enable_if_t<std::is_integral_v<T>, T> name(T* address, std::common_type_t<T> value) { \
    simt::emulator::AtomicPoint();                                                           \
    return builtin(address, value, __ATOMIC_RELAXED);                                        \
  }
SIMT_ATOMIC(atomicAdd, __atomic_fetch_add)
SIMT_ATOMIC(atomicSub, __atomic_fetch_sub)
SIMT_ATOMIC(atomicAnd, __atomic_fetch_and)
SIMT_ATOMIC(atomicOr, __atomic_fetch_or)
SIMT_ATOMIC(atomicXor, __atomic_fetch_xor)
SIMT_ATOMIC(atomicExch, __atomic_exchange_n)
#undef SIMT_ATOMIC

namespace simt::emulator {
// Replaces *address by update(*address); returns what was there.
template <typename T, typename Update>
T AtomicUpdate(T* address, Update update) {
  AtomicPoint();
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  T next = update(old);
  while (
      !__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    next = update(old);
  }
  return old;
}
}  // namespace simt::emulator

inline float atomicAdd(float* address, float value) {
  return simt::emulator::AtomicUpdate(address, [value](float old) { return old + value; });
}
inline float atomicExch(float* address, float value) {
  return simt::emulator::AtomicUpdate(address, [value](float) { return value; });
}
inline double atomicAdd(double* address, double value) {
  return simt::emulator::AtomicUpdate(address, [value](double old) { return old + value; });
}
template <typename T>
std::enable_if_t<std::is_integral_v<T>, T> atomicMax(T* address, std::common_type_t<T> value) {
  return simt::emulator::AtomicUpdate(address,
                                      [value](T old) { return old < value ? value : old; });
}
template <typename T>
std::enable_if_t<std::is_integral_v<T>, T> atomicMin(T* address, std::common_type_t<T> value) {
  return simt::emulator::AtomicUpdate(address,
                                      [value](T old) { return value < old ? value : old; });
}
template <typename T>
T atomicCAS(T* address, std::common_type_t<T> expected, std::common_type_t<T> value) {
  simt::emulator::SpinPoint();  // a loop around it must let the other side go on
  __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

template <typename T>
T __ldg(const T* address) {
  return *address;
}
template <typename T>
T __ldcs(const T* address) {
  return *address;
}
template <typename T>
T __ldcg(const T* address) {
  return *address;
}
template <typename T>
void __stcs(T* address, std::common_type_t<T> value) {
  *address = value;
}

#endif  // TESSERA_TESTS_SIMT_ATOMICS_H_

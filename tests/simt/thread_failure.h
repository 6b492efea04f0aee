// How a defect leaves the thread that met it: thrown on the thread's own stack, caught at its
// bottom, and thrown again as Error by the launch.
#ifndef TESSERA_TESTS_SIMT_THREAD_FAILURE_H_
#define TESSERA_TESTS_SIMT_THREAD_FAILURE_H_

#include <string>

namespace simt::emulator {

struct ThreadFailure {
  std::string what;
};

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_THREAD_FAILURE_H_

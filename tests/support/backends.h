// Every executor that runs on this machine, for tests that take them as a parameter.
#ifndef TESSERA_TESTS_SUPPORT_BACKENDS_H_
#define TESSERA_TESTS_SUPPORT_BACKENDS_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/backend.h"

namespace tessera::testing {

struct BackendSpec {
  std::string target;  // "scalar", or what CpuOptions::target takes
  int threads = 1;     // of a CPU backend
};

// "AVX3 x4"; for test names see BackendTestName.
std::string Describe(const BackendSpec& spec);
inline void PrintTo(const BackendSpec& spec, std::ostream* out) { *out << Describe(spec); }

// Letters, digits and underscores only.
std::string BackendTestName(const BackendSpec& spec);

// The scalar executor, then every CPU target at one thread and at `more_threads`.
std::vector<BackendSpec> AllBackends(int more_threads = 4);

absl::StatusOr<std::unique_ptr<Backend>> MakeBackend(const BackendSpec& spec);

// One shared object per spec, made on first use. Stops the test program if it cannot be made or
// if another target than the forced one runs.
Backend& SharedBackend(const BackendSpec& spec);

// The fastest there is here.
Backend& BestBackend();

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_BACKENDS_H_

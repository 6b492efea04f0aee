// Every executor that runs on this machine, for tests that take them as a parameter.
//
// A program may add executors of its own, before its tests run: what is compiled with it then
// judges them as it judges the built-in ones.
#ifndef TESSERA_TESTS_SUPPORT_BACKENDS_H_
#define TESSERA_TESTS_SUPPORT_BACKENDS_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/backend.h"

namespace tessera::testing {

struct BackendSpec {
  std::string target;  // "scalar", what CpuOptions::target takes, or the name of an added executor
  int threads = 1;     // of a CPU backend
};

// "AVX3 x4"; for test names see BackendTestName.
std::string Describe(const BackendSpec& spec);
inline void PrintTo(const BackendSpec& spec, std::ostream* out) { *out << Describe(spec); }

// Letters, digits and underscores only.
std::string BackendTestName(const BackendSpec& spec);

struct AddedExecutor {
  std::string name;  // no target's name
  std::string runs;  // what name() of the backend must say
  std::function<absl::StatusOr<std::unique_ptr<Backend>>()> make;
  int weight = 1;  // how often NextBackends picks it, beside the others
};

// From a static initialiser or from main, before the tests are registered. True, so that it can
// initialise a constant.
bool AddExecutor(AddedExecutor executor);

// Tests of this program run the scalar executor and the added ones. True, as above.
bool LeaveOutCpuTargets();

// The scalar executor, then every CPU target at one thread and at `more_threads`, then the added
// ones.
std::vector<BackendSpec> AllBackends(int more_threads = 4);

// As AllBackends, but only some of the added executors where TESSERA_ADDED_EXECUTORS says how many
// a call gets on average ("0.5": every second call gets one), for executors that are slow. They are
// picked by their weights, by chance that follows from the running test's name and the number of
// the call in it; the first call of a test gets at least one.
std::vector<BackendSpec> NextBackends(int more_threads = 4);

absl::StatusOr<std::unique_ptr<Backend>> MakeBackend(const BackendSpec& spec);

bool IsAdded(const BackendSpec& spec);

// What name() of the spec's backend must say.
std::string WantedName(const BackendSpec& spec);

// One shared object per spec, made on first use. Stops the test program if it cannot be made or
// if another target than the forced one runs.
Backend& SharedBackend(const BackendSpec& spec);

// The fastest there is here.
Backend& BestBackend();

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_BACKENDS_H_

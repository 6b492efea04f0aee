// Runs kernels as PTX where their source calls simt::Launch, so that host code and tests written
// for the emulated kernels run the device compiler's kernels unchanged.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_SUBSTITUTE_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_SUBSTITUTE_H_

#include <cstdint>

#include "tests/simt/ptx/ptx.h"

namespace simt::ptx {

// While it lives, launches of the kernels it was told of run their PTX. One at a time.
class Substitution {
 public:
  Substitution();
  ~Substitution();
  Substitution(const Substitution&) = delete;
  Substitution& operator=(const Substitution&) = delete;

  template <typename... P>
  void Add(void (*kernel)(P...), const Kernel& ptx) {
    AddAddress(reinterpret_cast<const void*>(kernel), ptx);
  }
  // Launches that ran as PTX, and those of kernels that it was not told of.
  uint64_t launches() const { return launches_; }
  uint64_t others() const { return others_; }

 private:
  void AddAddress(const void* kernel, const Kernel& ptx);
  static bool Hook(const void* kernel, const LaunchConfig& config,
                   const emulator::ArgumentBytes* arguments, size_t count, cudaError_t* result);

  struct Entry {
    const void* kernel;
    Kernel ptx;
  };
  std::vector<Entry> entries_;
  uint64_t launches_ = 0;
  uint64_t others_ = 0;
  static Substitution* current_;
};

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_SUBSTITUTE_H_

// Executes PTX, as nvcc emits it, on the fibers of the SIMT emulator: each CUDA thread interprets
// its kernel's instructions, and what synchronises goes to the emulator's collectives. It shows
// what the device compiler made of a source; what ptxas makes of the PTX it cannot show.
//
// What has no exact meaning on a CPU is refused while parsing, so parsing also checks that the
// arithmetic of a kernel is reproducible.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simt/kernel_hook.h"
#include "tests/simt/launch.h"

namespace simt::ptx {

struct Function;
struct ModuleCode;

// A copy refers to the same code and the same .global variables, which live as long as any copy.
class Kernel {
 public:
  const std::string& name() const;  // mangled

 private:
  friend class Module;
  friend cudaError_t LaunchBytes(const Kernel&, const LaunchConfig&,
                                 const std::vector<emulator::ArgumentBytes>&);
  Kernel(std::shared_ptr<const ModuleCode> code, const Function* function)
      : code_(std::move(code)), function_(function) {}

  std::shared_ptr<const ModuleCode> code_;
  const Function* function_;
};

class Module {
 public:
  explicit Module(std::shared_ptr<const ModuleCode> code) : code_(std::move(code)) {}

  // The only kernel whose name contains `part_of_name`; throws Error for none or several.
  Kernel Find(std::string_view part_of_name) const;
  std::vector<std::string> KernelNames() const;
  size_t instruction_count() const;  // in the text, decoded

 private:
  std::shared_ptr<const ModuleCode> code_;
};

// Throws Error naming line and instruction for what is not understood.
Module Parse(std::string_view text);
Module ParseFile(const std::string& path);

// Throws Error where number or size of the arguments is not the kernel's.
cudaError_t LaunchBytes(const Kernel& kernel, const LaunchConfig& config,
                        const std::vector<emulator::ArgumentBytes>& arguments);

// The arguments must have the kernel's parameter types.
template <typename... A>
cudaError_t Launch(const Kernel& kernel, const LaunchConfig& config, const A&... arguments) {
  return LaunchBytes(kernel, config, {emulator::ArgumentBytes{&arguments, sizeof arguments}...});
}

// By all launches of the process so far.
uint64_t InstructionsExecuted();

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_H_

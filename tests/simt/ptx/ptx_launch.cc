// The public face: parsing, finding, launching.
#include <cstring>
#include <fstream>
#include <sstream>

#include "tests/simt/emulator.h"
#include "tests/simt/ptx/ptx.h"
#include "tests/simt/ptx/ptx_frames.h"
#include "tests/simt/ptx/ptx_module.h"
#include "tests/simt/ptx/ptx_thread.h"

namespace simt::ptx {
namespace {

uint64_t g_executed = 0;

// Lives until the last thread of the launch is gone.
struct Call {
  std::shared_ptr<const ModuleCode> code;
  const Function* kernel;
  std::vector<std::byte> params;
  FrameList frames;
};

void RunThread(void* argument) {
  Call& call = *static_cast<Call*>(argument);
  Thread thread(*call.kernel, call.params.data(), &call.frames);
  const uint64_t executed = thread.Run();
  __atomic_fetch_add(&g_executed, executed, __ATOMIC_RELAXED);
}

}  // namespace

const std::string& Kernel::name() const { return function_->name; }

Kernel Module::Find(std::string_view part_of_name) const {
  const Function* found = nullptr;
  for (const auto& function : code_->functions) {
    if (!function->is_kernel || function->name.find(part_of_name) == std::string::npos) continue;
    if (found != nullptr) {
      throw Error("ptx: " + found->name + " and " + function->name + " both contain " +
                  std::string(part_of_name));
    }
    found = function.get();
  }
  if (found == nullptr) throw Error("ptx: no kernel " + std::string(part_of_name));
  return {code_, found};
}

std::vector<std::string> Module::KernelNames() const {
  std::vector<std::string> names;
  for (const auto& function : code_->functions) {
    if (function->is_kernel) names.push_back(function->name);
  }
  return names;
}

size_t Module::instruction_count() const {
  size_t count = 0;
  for (const auto& function : code_->functions) count += function->code.size();
  return count;
}

Module Parse(std::string_view text) { return Module(ModuleReader(text).Read()); }

Module ParseFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error("ptx: cannot read " + path);
  std::stringstream text;
  text << file.rdbuf();
  return Parse(text.str());
}

cudaError_t LaunchBytes(const Kernel& kernel, const LaunchConfig& config,
                        const std::vector<emulator::ArgumentBytes>& arguments) {
  const Function& function = *kernel.function_;
  if (arguments.size() != function.parameters.size()) {
    throw Error("ptx: " + function.name + " has " + std::to_string(function.parameters.size()) +
                " parameters, not " + std::to_string(arguments.size()));
  }
  const auto call = std::make_shared<Call>();
  call->code = kernel.code_;
  call->kernel = &function;
  call->params.resize(function.param_bytes + 1);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    if (arguments[i].bytes != parameter.bytes) {
      throw Error("ptx: parameter " + parameter.name + " has " + std::to_string(parameter.bytes) +
                  " bytes, not " + std::to_string(arguments[i].bytes));
    }
    std::memcpy(call->params.data() + parameter.offset, arguments[i].address, arguments[i].bytes);
  }
  LaunchConfig with_static = config;
  with_static.shared_bytes += function.static_shared;
  return emulator::RunInStream(with_static, &RunThread, call);
}

uint64_t InstructionsExecuted() { return __atomic_load_n(&g_executed, __ATOMIC_RELAXED); }

}  // namespace simt::ptx

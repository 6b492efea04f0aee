#include "tests/simt/ptx/ptx_substitute.h"

#include "tests/simt/options.h"

namespace simt::ptx {

Substitution* Substitution::current_ = nullptr;

Substitution::Substitution() {
  if (current_ != nullptr) throw Error("ptx: a second Substitution");
  current_ = this;
  emulator::kernel_hook = &Hook;
}

Substitution::~Substitution() {
  emulator::kernel_hook = nullptr;
  current_ = nullptr;
}

void Substitution::AddAddress(const void* kernel, const Kernel& ptx) {
  entries_.push_back({kernel, ptx});
}

bool Substitution::Hook(const void* kernel, const LaunchConfig& config,
                        const emulator::ArgumentBytes* arguments, size_t count,
                        cudaError_t* result) {
  for (const Entry& entry : current_->entries_) {
    if (entry.kernel != kernel) continue;
    ++current_->launches_;
    *result = LaunchBytes(entry.ptx, config, {arguments, arguments + count});
    return true;
  }
  ++current_->others_;
  return false;
}

}  // namespace simt::ptx

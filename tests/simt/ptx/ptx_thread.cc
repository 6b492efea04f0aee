#include "tests/simt/ptx/ptx_thread.h"

#include <cstring>

#include "tests/simt/emulator.h"
#include "tests/simt/ptx/ptx_special.h"

namespace simt::ptx {

Thread::Thread(const Function& kernel, const std::byte* params, FrameList* frames)
    : shared_(static_cast<std::byte*>(emulator::DynamicShared())),
      shared_bytes_(emulator::DynamicSharedBytes()),
      lane_(emulator::Lane()),
      frames_(frames) {
  Enter(kernel, params, nullptr);
}

uint64_t Thread::Run() {
  uint64_t executed = 0;
  while (next_ != nullptr) {
    const Instruction& instruction = *next_++;
    ++executed;
    if (instruction.guard != kNoSlot && Predicate(instruction.guard) == instruction.guard_negated) {
      continue;
    }
    instruction.step(*this, instruction);
  }
  while (frame_ != nullptr) {
    Frame* caller = frame_->caller;
    frames_->Delete(frame_);
    frame_ = caller;
  }
  return executed;
}

void Thread::Enter(const Function& function, const std::byte* params, const Instruction* back) {
  Frame* frame = frames_->New(function);
  frame->back = back;
  frame->caller = frame_;
  if (params != nullptr) frame->params = const_cast<std::byte*>(params);
  frame_ = frame;
  slots_ = frame->slots;
  next_ = function.code.data();
  for (const Preload& preload : function.preloads) {
    uint64_t& slot = slots_[preload.slot];
    switch (preload.kind) {
      case Preload::Kind::kLocal:
        slot = reinterpret_cast<uint64_t>(frame->local + preload.value);
        break;
      case Preload::Kind::kParam:
        slot = reinterpret_cast<uint64_t>(frame->params + preload.value);
        break;
      case Preload::Kind::kSpecial:
        slot = ValueOf(static_cast<Special>(preload.value), *this);
        break;
    }
  }
}

void Thread::Call(const Instruction& from) {
  const CallSite& call = frame_->function->calls[static_cast<size_t>(from.immediate)];
  const Frame* caller = frame_;
  Enter(*call.callee, nullptr, &from);
  for (const Transfer& transfer : call.arguments) {
    std::memcpy(frame_->params + transfer.param_offset, caller->local + transfer.local_offset,
                transfer.bytes);
  }
}

void Thread::Return() {
  Frame* frame = frame_;
  if (frame->back == nullptr) {
    next_ = nullptr;
    return;
  }
  const Instruction& from = *frame->back;
  frame_ = frame->caller;
  slots_ = frame_->slots;
  next_ = &from + 1;
  for (const Transfer& transfer :
       frame_->function->calls[static_cast<size_t>(from.immediate)].results) {
    std::memcpy(frame_->local + transfer.local_offset, frame->params + transfer.param_offset,
                transfer.bytes);
  }
  frames_->Delete(frame);
}

std::byte* Thread::SharedOfCluster(uint64_t address, size_t bytes, const Instruction& at) {
  const uint32_t rank = static_cast<uint32_t>(address) >> kRankShift;
  std::byte* own = Shared(address & ((1u << kRankShift) - 1), bytes, at);
  return rank == 0 ? own : static_cast<std::byte*>(emulator::ClusterMap(own, rank - 1));
}

uint32_t Thread::MapShared(uint32_t address, uint32_t rank, const Instruction& at) {
  const uint32_t offset = address & ((1u << kRankShift) - 1);
  if (rank >= emulator::ClusterBlocks()) Fail("no block of that rank in the cluster", at);
  Shared(offset, 1, at);
  return offset | (rank + 1) << kRankShift;
}

uint64_t Thread::GenericOfShared(uint64_t address, const Instruction& at) {
  const uint32_t rank = static_cast<uint32_t>(address) >> kRankShift;
  // Without a check of the size: an address one past the end is one too.
  const uint64_t offset = address & ((1u << kRankShift) - 1);
  if (rank == 0) return reinterpret_cast<uint64_t>(shared_) + offset;
  if (rank > emulator::ClusterBlocks()) Fail("no block of that rank in the cluster", at);
  return reinterpret_cast<uint64_t>(emulator::ClusterMap(shared_, rank - 1)) + offset;
}

uint64_t Thread::SharedOfGeneric(uint64_t address, const Instruction& at) {
  const uint64_t offset = address - reinterpret_cast<uint64_t>(shared_);
  if (offset <= shared_bytes_) return offset;
  for (unsigned rank = 0; rank < emulator::ClusterBlocks(); ++rank) {
    if (rank == emulator::ClusterRank()) continue;
    const auto base = reinterpret_cast<uint64_t>(emulator::ClusterMap(shared_, rank));
    if (address - base <= shared_bytes_) {
      return (address - base) | static_cast<uint64_t>(rank + 1) << kRankShift;
    }
  }
  Fail("not an address of shared memory", at);
}

void Thread::Fail(const std::string& what, const Instruction& at) const {
  emulator::Fail("ptx line " + std::to_string(at.line) + ": " + what + "," +
                 emulator::CurrentThread());
}

void Thread::Misaligned(uint64_t address, const Instruction& at) const {
  Fail("misaligned address " + std::to_string(address), at);
}

void Thread::OutsideShared(uint64_t address, const Instruction& at) const {
  Fail("address " + std::to_string(address) + " outside of the block's " +
           std::to_string(shared_bytes_) + " bytes of shared memory",
       at);
}

}  // namespace simt::ptx

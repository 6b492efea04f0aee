// One CUDA thread that executes PTX: its frames and how it reaches memory.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_THREAD_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_THREAD_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "tests/simt/options.h"
#include "tests/simt/ptx/ptx_frames.h"
#include "tests/simt/ptx/ptx_instruction.h"
#include "tests/simt/ptx/ptx_types.h"

namespace simt::ptx {

// In shared::cluster addresses of 32 bits: 0 for the own block, else 1 + the block's rank.
inline constexpr unsigned kRankShift = 24;

class Thread {
 public:
  // `shared` is the block's shared memory, static variables first.
  Thread(const Function& kernel, const std::byte* params, FrameList* frames);

  // Until the thread ends. Returns the number of instructions.
  uint64_t Run();

  template <typename T>
  T Get(uint32_t slot) const {
    if constexpr (std::is_same_v<T, float>) {
      return std::bit_cast<float>(static_cast<uint32_t>(slots_[slot]));
    } else if constexpr (std::is_same_v<T, double>) {
      return std::bit_cast<double>(slots_[slot]);
    } else {
      return static_cast<T>(slots_[slot]);
    }
  }

  // Signed values are extended to 64 bits, others with zeros.
  template <typename T>
  void Set(uint32_t slot, T value) {
    if constexpr (std::is_same_v<T, float>) {
      slots_[slot] = std::bit_cast<uint32_t>(value);
    } else if constexpr (std::is_same_v<T, double>) {
      slots_[slot] = std::bit_cast<uint64_t>(value);
    } else {
      slots_[slot] = static_cast<uint64_t>(value);
    }
  }

  bool Predicate(uint32_t slot) const { return slots_[slot] != 0; }

  // Where the `bytes` at an address of a space lie; fails for shared memory that is not there and
  // for an address that is no multiple of `alignment`.
  std::byte* Address(Space space, uint64_t address, size_t bytes, size_t alignment,
                     const Instruction& at) {
    std::byte* place = space == Space::kShared          ? Shared(address, bytes, at)
                       : space == Space::kSharedCluster ? SharedOfCluster(address, bytes, at)
                                                        : reinterpret_cast<std::byte*>(address);
    if ((reinterpret_cast<uintptr_t>(place) & (alignment - 1)) != 0) Misaligned(address, at);
    return place;
  }

  // Conversions of shared addresses to generic ones and back.
  uint64_t GenericOfShared(uint64_t address, const Instruction& at);
  uint64_t SharedOfGeneric(uint64_t address, const Instruction& at);
  // The 32-bit address of the same place in the block `rank` of the cluster.
  uint32_t MapShared(uint32_t address, uint32_t rank, const Instruction& at);
  bool IsShared(uint64_t generic) const {
    return generic - reinterpret_cast<uint64_t>(shared_) < shared_bytes_;
  }

  void Jump(const Instruction& from, int64_t distance) { next_ = &from + distance; }
  void JumpToIndex(int64_t index) { next_ = function().code.data() + index; }
  void Call(const Instruction& from);
  void Return();
  void Exit() { next_ = nullptr; }
  const Function& function() const { return *frame_->function; }
  unsigned lane() const { return lane_; }
  size_t shared_bytes() const { return shared_bytes_; }  // static and dynamic
  emulator::Site site(const Instruction& at) const { return {"ptx", at.line}; }
  [[noreturn]] void Fail(const std::string& what, const Instruction& at) const;

  bool carry = false;  // CC.CF

 private:
  std::byte* Shared(uint64_t address, size_t bytes, const Instruction& at) {
    const uint32_t offset = static_cast<uint32_t>(address);
    if (offset + bytes > shared_bytes_) OutsideShared(offset, at);
    return shared_ + offset;
  }
  std::byte* SharedOfCluster(uint64_t address, size_t bytes, const Instruction& at);
  [[noreturn]] void Misaligned(uint64_t address, const Instruction& at) const;
  [[noreturn]] void OutsideShared(uint64_t address, const Instruction& at) const;
  void Enter(const Function& function, const std::byte* params, const Instruction* back);

  uint64_t* slots_ = nullptr;
  const Instruction* next_ = nullptr;
  std::byte* shared_;
  size_t shared_bytes_;
  unsigned lane_;
  Frame* frame_ = nullptr;
  FrameList* frames_;
};

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_THREAD_H_

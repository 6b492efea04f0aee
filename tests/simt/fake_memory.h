// Device memory for the played CUDA runtime: address space of its own that nothing can touch
// outside an access. An address is never given out twice, so that a late use is always seen.
#ifndef TESSERA_TESTS_SIMT_FAKE_MEMORY_H_
#define TESSERA_TESTS_SIMT_FAKE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <map>

namespace simt {

class FakeMemory {
 public:
  explicit FakeMemory(size_t bytes);
  ~FakeMemory();
  FakeMemory(const FakeMemory&) = delete;
  FakeMemory& operator=(const FakeMemory&) = delete;

  size_t total() const { return total_; }
  size_t used() const { return used_; }
  size_t allocations() const { return live_.size(); }

  // 256-byte aligned and full of noise; null when it does not fit.
  void* Allocate(size_t bytes);
  // False when no allocation starts there.
  bool Free(void* address);

  // Some of [address, address + bytes) is device memory, living or not.
  bool Touches(const void* address, size_t bytes) const;
  // All of it lies within one living allocation.
  bool Holds(const void* address, size_t bytes) const;

  // Living allocations can be read and written while this lives: a kernel or a copy runs.
  class Access {
   public:
    explicit Access(FakeMemory& memory) : memory_(memory) { memory_.Protect(true); }
    ~Access() { memory_.Protect(false); }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

   private:
    FakeMemory& memory_;
  };

 private:
  void Protect(bool open);

  std::byte* space_;  // reserved, never readable as a whole
  size_t next_ = 0;   // offset of the first byte never given out
  size_t total_;
  size_t used_ = 0;
  uint32_t noise_ = 0x9E3779B9;
  std::map<std::byte*, size_t> live_;  // bytes asked for
};

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_FAKE_MEMORY_H_

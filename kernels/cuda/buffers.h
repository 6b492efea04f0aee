// Memory on the device and page-locked memory on the host, which grow and are kept.
#ifndef TESSERA_KERNELS_CUDA_BUFFERS_H_
#define TESSERA_KERNELS_CUDA_BUFFERS_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace tessera {

// Addresses that only the device may follow.
struct DeviceView {
  std::byte* data = nullptr;  // 256-byte aligned
  size_t bytes = 0;
};

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer&& other) noexcept { *this = std::move(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }

  // At least `bytes`, and no less than before. Growing loses what was there, so nothing may be
  // using it. ResourceExhausted, and an empty buffer, when the device has too little.
  absl::Status Reserve(size_t bytes);
  DeviceView view() const { return {memory_.get(), bytes_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };

  std::unique_ptr<std::byte, Free> memory_;
  size_t bytes_ = 0;
};

// Copies to and from it run beside the host.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  PinnedBuffer(PinnedBuffer&& other) noexcept { *this = std::move(other); }
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }

  absl::Status Reserve(size_t bytes);  // as DeviceBuffer's
  absl::Span<std::byte> view() const { return {memory_.get(), bytes_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };

  std::unique_ptr<std::byte, Free> memory_;
  size_t bytes_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_BUFFERS_H_

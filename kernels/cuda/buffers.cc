#include "kernels/cuda/buffers.h"

#include <bit>

#include "absl/strings/str_cat.h"
#include "kernels/cuda/cuda_api.h"
#include "kernels/cuda/cuda_status.h"

namespace tessera {
namespace {

constexpr size_t kSmallest = size_t{64} << 10;
constexpr size_t kStep = size_t{2} << 20;  // what a device hands out memory by

// Room to grow, so that sizes that creep up do not allocate each time.
size_t Capacity(size_t bytes) {
  if (bytes <= kSmallest) return kSmallest;
  if (bytes <= kStep) return std::bit_ceil(bytes);
  return bytes > SIZE_MAX - kStep ? bytes : (bytes + kStep - 1) / kStep * kStep;
}

}  // namespace

absl::Status DeviceBuffer::Reserve(size_t bytes) {
  if (bytes <= bytes_) return absl::OkStatus();
  memory_.reset();
  bytes_ = 0;
  const size_t capacity = Capacity(bytes);
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, capacity);
  if (error != cudaSuccess) {
    return CudaStatus(error, absl::StrCat("cudaMalloc of ", capacity, " bytes"));
  }
  memory_.reset(static_cast<std::byte*>(memory));
  bytes_ = capacity;
  return absl::OkStatus();
}

void DeviceBuffer::Free::operator()(std::byte* memory) const { (void)cudaFree(memory); }

absl::Status PinnedBuffer::Reserve(size_t bytes) {
  if (bytes <= bytes_) return absl::OkStatus();
  memory_.reset();
  bytes_ = 0;
  const size_t capacity = Capacity(bytes);
  void* memory = nullptr;
  const cudaError_t error = cudaHostAlloc(&memory, capacity, cudaHostAllocDefault);
  if (error != cudaSuccess) {
    return CudaStatus(error, absl::StrCat("cudaHostAlloc of ", capacity, " bytes"));
  }
  memory_.reset(static_cast<std::byte*>(memory));
  bytes_ = capacity;
  return absl::OkStatus();
}

void PinnedBuffer::Free::operator()(std::byte* memory) const { (void)cudaFreeHost(memory); }

}  // namespace tessera

// The played CUDA runtime: memory and copies.
#include <cstdlib>
#include <cstring>

#include "tests/simt/fake_state.h"

namespace {

using simt::Call;
using simt::FakeMemory;
using simt::FakeState;
using simt::GiveBack;

constexpr size_t kPinnedAlignment = 4096;
constexpr size_t kMaxPitch = 0x7FFFFFFF;

// `height` rows of `width` bytes.
struct Side {
  std::byte* start;
  size_t pitch;
};
struct Copy {
  Side to;
  Side from;
  size_t width;
  size_t height;
  cudaMemcpyKind kind;

  size_t Extent(const Side& side) const {
    return height == 0 ? 0 : (height - 1) * side.pitch + width;
  }
};

// Host memory is none of the device's, and device memory lies in a living allocation.
bool SideFits(const FakeState& state, const Copy& copy, const Side& side, bool device) {
  const size_t extent = copy.Extent(side);
  return device ? state.memory.Holds(side.start, extent)
                : !state.memory.Touches(side.start, extent);
}

bool Fits(const FakeState& state, const Copy& copy) {
  const bool to_device =
      copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
  const bool from_device =
      copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
  return SideFits(state, copy, copy.to, to_device) && SideFits(state, copy, copy.from, from_device);
}

cudaError_t RunCopy(FakeState& state, const Copy& copy) {
  if (!Fits(state, copy)) return state.Lose(cudaErrorIllegalAddress);  // freed while in use
  const FakeMemory::Access access(state.memory);
  for (size_t i = 0; i < copy.height; ++i) {
    std::memcpy(copy.to.start + i * copy.to.pitch, copy.from.start + i * copy.from.pitch,
                copy.width);
  }
  return cudaSuccess;
}

cudaError_t PutCopy(FakeState& state, const Copy& copy, cudaStream_t stream) {
  if (!state.streams.Lives(stream)) return cudaErrorInvalidResourceHandle;
  if (copy.width == 0 || copy.height == 0) return cudaSuccess;
  if (!Fits(state, copy)) return cudaErrorInvalidValue;
  if (copy.kind == cudaMemcpyDeviceToHost && !state.IsPinned(copy.to.start, copy.Extent(copy.to))) {
    ++state.pageable_downloads;
  }
  state.streams.Put(stream, {[&state, copy] { return RunCopy(state, copy); }});
  return cudaSuccess;
}

Side SideOf(const void* start, size_t pitch) {
  return {const_cast<std::byte*>(static_cast<const std::byte*>(start)), pitch};
}

}  // namespace

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return Call("cudaMemGetInfo", [&](FakeState& state) {
    *total = state.memory.total();
    *free = state.memory.total() - state.memory.used();
    return cudaSuccess;
  });
}

cudaError_t cudaMalloc(void** address, size_t bytes) {
  return Call("cudaMalloc", [&](FakeState& state) {
    if (state.streams.capturing()) return cudaErrorStreamCaptureUnsupported;
    *address = bytes == 0 ? nullptr : state.memory.Allocate(bytes);
    return bytes == 0 || *address != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}

cudaError_t cudaFree(void* address) {
  return GiveBack("cudaFree", [&](FakeState& state) {
    if (address == nullptr || state.memory.Free(address)) return cudaSuccess;
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostAlloc(void** address, size_t bytes, unsigned /*flags*/) {
  return Call("cudaHostAlloc", [&](FakeState& state) {
    if (state.streams.capturing()) return cudaErrorStreamCaptureUnsupported;
    const size_t whole = (bytes + kPinnedAlignment - 1) / kPinnedAlignment * kPinnedAlignment;
    if (whole < bytes || whole > size_t{1} << 40) return cudaErrorMemoryAllocation;
    *address = std::aligned_alloc(kPinnedAlignment, whole);
    if (*address == nullptr) return cudaErrorMemoryAllocation;
    state.pinned[static_cast<std::byte*>(*address)] = bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaFreeHost(void* address) {
  return GiveBack("cudaFreeHost", [&](FakeState& state) {
    if (address == nullptr) return cudaSuccess;
    if (state.pinned.erase(static_cast<std::byte*>(address)) == 0) return cudaErrorInvalidValue;
    std::free(address);
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return Call("cudaMemcpyAsync", [&](FakeState& state) {
    return PutCopy(state, {SideOf(to, bytes), SideOf(from, bytes), bytes, 1, kind}, stream);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return Call("cudaMemcpy2DAsync", [&](FakeState& state) {
    if (width > to_pitch || width > from_pitch || to_pitch > kMaxPitch || from_pitch > kMaxPitch) {
      return cudaErrorInvalidValue;
    }
    return PutCopy(state, {SideOf(to, to_pitch), SideOf(from, from_pitch), width, height, kind},
                   stream);
  });
}

cudaError_t cudaMemsetAsync(void* address, int value, size_t bytes, cudaStream_t stream) {
  return Call("cudaMemsetAsync", [&](FakeState& state) {
    if (!state.streams.Lives(stream)) return cudaErrorInvalidResourceHandle;
    if (!state.memory.Holds(address, bytes)) return cudaErrorInvalidValue;
    state.streams.Put(stream, {[&state, address, value, bytes] {
                        if (!state.memory.Holds(address, bytes)) {
                          return state.Lose(cudaErrorIllegalAddress);
                        }
                        const FakeMemory::Access access(state.memory);
                        std::memset(address, value, bytes);
                        return cudaSuccess;
                      }});
    return cudaSuccess;
  });
}

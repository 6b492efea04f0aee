#include "tests/simt/fake_state.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "tests/simt/stream_hook.h"

namespace simt {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

std::unique_ptr<FakeState>& StateSlot() {
  static auto& slot = *new std::unique_ptr<FakeState>(new FakeState(FakeDevice{}));
  return slot;
}

// Runs a kernel with device memory open. What it has to complain about loses the device.
cudaError_t RunKernel(FakeState& state, const std::function<void()>& run) {
  if (state.kernel.Due()) return state.Lose(state.kernel.error);
  const FakeMemory::Access access(state.memory);
  try {
    run();
    return cudaSuccess;
  } catch (const std::exception& complaint) {
    state.complaint = complaint.what();
    std::fprintf(stderr, "kernel: %s\n", complaint.what());
    return state.Lose(cudaErrorLaunchFailure);
  }
}

}  // namespace

bool PlannedFailure::Due() {
  if (!armed || left-- > 0) return false;
  armed = false;
  return true;
}

FakeState::FakeState(const FakeDevice& d) : device(d), memory(d.memory_bytes), streams(d.seed) {
  stream_hook = &EnqueueKernel;
}

cudaError_t FakeState::Begin(const char* name) {
  ++calls;
  ++calls_to[name];
  if (lost != cudaSuccess) return lost;
  if (any_call.Due()) return any_call.error;
  PlannedFailure& planned = call_to[name];
  return planned.Due() ? planned.error : cudaSuccess;
}

cudaError_t FakeState::Note(cudaError_t error) {
  if (error == cudaSuccess || error == cudaErrorNotReady) return error;
  SetLastError(error);
  return LosesDevice(error) ? Lose(error) : error;
}

cudaError_t FakeState::Lose(cudaError_t error) {
  if (lost == cudaSuccess) lost = error;
  streams.DropAll();
  streams.set_capturing(false);
  return lost;
}

bool FakeState::IsPinned(const void* address, size_t bytes) const {
  const auto* start = static_cast<const std::byte*>(address);
  for (const auto& [first, size] : pinned) {
    if (start >= first && start + bytes <= first + size) return true;
  }
  return false;
}

FakeState& State() { return *StateSlot(); }

// From CUDA's documentation, and not shared with cuda_status.cc, which tests judge by it.
bool LosesDevice(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

void SetLastError(cudaError_t error) { last_error = error; }

cudaError_t EnqueueKernel(cudaStream_t stream, std::function<void()> run) {
  return Call("cudaLaunchKernel", [&](FakeState& state) {
    if (!state.streams.Lives(stream)) return cudaErrorInvalidResourceHandle;
    state.streams.Put(stream, {[&state, run = std::move(run)] { return RunKernel(state, run); }});
    return cudaSuccess;
  });
}

void ResetFakeDevice(const FakeDevice& device) {
  const size_t left = FakeLiveObjects().total();
  if (left != 0 && !FakeDeviceLost()) {
    std::fprintf(stderr, "ResetFakeDevice: %zu objects were not given back\n", left);
    std::abort();
  }
  for (auto& [address, bytes] : State().pinned) std::free(address);
  StateSlot() = std::make_unique<FakeState>(device);
  last_error = cudaSuccess;
}

void FailCall(uint64_t calls_before, cudaError_t error) {
  const std::lock_guard<std::mutex> lock(State().mutex);
  State().any_call = {true, calls_before, error};
}

void FailCallTo(const std::string& name, uint64_t calls_before, cudaError_t error) {
  const std::lock_guard<std::mutex> lock(State().mutex);
  State().call_to[name] = {true, calls_before, error};
}

void FailKernel(uint64_t kernels_before, cudaError_t error) {
  const std::lock_guard<std::mutex> lock(State().mutex);
  State().kernel = {true, kernels_before, error};
}

void FailNothing() {
  const std::lock_guard<std::mutex> lock(State().mutex);
  State().any_call = {};
  State().call_to.clear();
  State().kernel = {};
}

uint64_t CallsMade() {
  const std::lock_guard<std::mutex> lock(State().mutex);
  return State().calls;
}

uint64_t CallsMadeTo(const std::string& name) {
  const std::lock_guard<std::mutex> lock(State().mutex);
  return State().calls_to[name];
}

uint64_t PageableDownloads() {
  const std::lock_guard<std::mutex> lock(State().mutex);
  return State().pageable_downloads;
}

bool FakeDeviceLost() {
  const std::lock_guard<std::mutex> lock(State().mutex);
  return State().lost != cudaSuccess;
}

std::string KernelComplaint() {
  const std::lock_guard<std::mutex> lock(State().mutex);
  return State().complaint;
}

LiveObjects FakeLiveObjects() {
  FakeState& state = State();
  const std::lock_guard<std::mutex> lock(state.mutex);
  return {state.memory.allocations(),
          state.pinned.size(),
          state.streams.live(),
          state.events.size(),
          state.graphs.size() + state.executables.size(),
          state.streams.pending()};
}

}  // namespace simt

cudaError_t cudaGetLastError() { return std::exchange(simt::last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return simt::last_error; }

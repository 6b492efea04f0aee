// What the functions of the played CUDA runtime share: one device, its errors and its counts, and
// the frame around every call.
#ifndef TESSERA_TESTS_SIMT_FAKE_STATE_H_
#define TESSERA_TESTS_SIMT_FAKE_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "tests/simt/fake_device.h"
#include "tests/simt/fake_memory.h"
#include "tests/simt/fake_streams.h"

namespace simt {

// A failure that was asked for, counted down by the calls it is about.
struct PlannedFailure {
  bool armed = false;
  uint64_t left = 0;
  cudaError_t error = cudaSuccess;

  // True when this is the one that fails.
  bool Due();
};

struct FakeState {
  explicit FakeState(const FakeDevice& d);

  std::mutex mutex;  // held through every call and so through every kernel
  FakeDevice device;
  FakeMemory memory;
  FakeStreams streams;
  std::map<std::byte*, size_t> pinned;
  std::set<cudaEvent_t> events;
  std::set<cudaGraph_t> graphs;
  std::set<cudaGraphExec_t> executables;

  cudaError_t lost = cudaSuccess;  // every call returns it from now on
  std::string complaint;
  uint64_t calls = 0;
  std::map<std::string, uint64_t> calls_to;
  uint64_t pageable_downloads = 0;
  PlannedFailure any_call;
  std::map<std::string, PlannedFailure> call_to;
  PlannedFailure kernel;

  // Counts the call; what it has to return instead of doing anything, or cudaSuccess.
  cudaError_t Begin(const char* name);
  // Remembers an error of a call or an operation; the device may be lost by it.
  cudaError_t Note(cudaError_t error);
  // What runs in a stream failed: the device is lost.
  cudaError_t Lose(cudaError_t error);
  bool IsPinned(const void* address, size_t bytes) const;
};

FakeState& State();

// Errors after which CUDA lets a process do nothing more with the device.
bool LosesDevice(cudaError_t error);

void SetLastError(cudaError_t error);

// The frame of a call that makes or does something: `body(state)` unless it is to fail.
template <class Body>
cudaError_t Call(const char* name, Body body) {
  FakeState& state = State();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const cudaError_t error = state.Begin(name);
  return state.Note(error != cudaSuccess ? error : body(state));
}

// Likewise of one that gives something back, which it does even when it reports an error.
template <class Body>
cudaError_t GiveBack(const char* name, Body body) {
  FakeState& state = State();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const cudaError_t error = state.Begin(name);
  const cudaError_t own = body(state);
  return state.Note(error != cudaSuccess ? error : own);
}

// A kernel goes into a stream; what the hook of stream_hook.h is set to.
cudaError_t EnqueueKernel(cudaStream_t stream, std::function<void()> run);

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_FAKE_STATE_H_

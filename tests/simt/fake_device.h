// What a test asks of the played CUDA runtime: which device there is, which call fails, what was
// called, and whether everything was given back.
#ifndef TESSERA_TESTS_SIMT_FAKE_DEVICE_H_
#define TESSERA_TESTS_SIMT_FAKE_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/simt/fake_cuda.h"

namespace simt {

struct FakeDevice {
  uint64_t seed = 1;  // orders what streams leave open; 0: everything as late as it may be
  int devices = 1;    // 0: as on a machine without a GPU
  std::string name = "Emulated H200";
  size_t memory_bytes = size_t{1} << 30;
  int sm_major = 9;
  int sm_minor = 0;
  int multiprocessors = 4;
  int shared_per_block_optin = 227 << 10;
  int shared_per_multiprocessor = 228 << 10;
  int max_cluster = 16;
};

// Starts anew with this device. REQUIRES: everything made before was given back, or the device was
// lost. A program that never asks has FakeDevice{}.
void ResetFakeDevice(const FakeDevice& device);

// The call made after `calls_before` further ones returns `error`, and does nothing unless it gives
// something back. An error that CUDA does not recover from loses the device.
void FailCall(uint64_t calls_before, cudaError_t error);
// Likewise among the calls of that name only, for instance "cudaMalloc".
void FailCallTo(const std::string& name, uint64_t calls_before, cudaError_t error);
// The kernel that runs after `kernels_before` further ones ends with `error`, which the next call
// reports; loses the device.
void FailKernel(uint64_t kernels_before, cudaError_t error);
void FailNothing();  // forgets what was asked and has not happened

uint64_t CallsMade();                           // since ResetFakeDevice
uint64_t CallsMadeTo(const std::string& name);  // likewise; "cudaLaunchKernel" for launches
uint64_t
PageableDownloads();  // copies to host memory that is not pinned: the caller waits for them
bool FakeDeviceLost();
// What a kernel that failed had to say; empty while none has.
std::string KernelComplaint();

// What was made and not given back.
struct LiveObjects {
  size_t device_allocations;
  size_t pinned_allocations;
  size_t streams;
  size_t events;
  size_t graphs;
  size_t pending_operations;  // in streams, not run yet

  size_t total() const {
    return device_allocations + pinned_allocations + streams + events + graphs + pending_operations;
  }
};
LiveObjects FakeLiveObjects();

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_FAKE_DEVICE_H_

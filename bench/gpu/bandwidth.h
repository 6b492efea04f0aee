// What the device's memory does without sampling.
#ifndef TESSERA_BENCH_GPU_BANDWIDTH_H_
#define TESSERA_BENCH_GPU_BANDWIDTH_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "bench/gpu/replay_timer.h"

namespace tessera::bench {

// Gigabytes (10^9) a second, and the time of a graph that does nothing.
struct Bandwidth {
  double copy = 0;        // device to device, bytes read and bytes written counted
  double read = 0;        // a kernel that only reads
  double nothing_us = 0;  // launch and events alone; part of every time that is measured
};

absl::StatusOr<Bandwidth> MeasureBandwidth(size_t bytes, uint32_t blocks, ReplayTimer& timer);

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_GPU_BANDWIDTH_H_

// Times work of a device: captured into a CUDA graph once, then replayed with a cold L2 cache.
#ifndef TESSERA_BENCH_GPU_REPLAY_TIMER_H_
#define TESSERA_BENCH_GPU_REPLAY_TIMER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/cuda/buffers.h"
#include "kernels/cuda/cuda_api.h"
#include "kernels/cuda/streams.h"

namespace tessera::bench {

class ReplayTimer {
 public:
  // Before every replay `flush_bytes` are written, and then as many others read, so that the cache
  // holds neither the work's memory nor lines that are still to be written back. Both should be
  // more than the cache holds. `blocks` read.
  static absl::StatusOr<std::unique_ptr<ReplayTimer>> Create(size_t flush_bytes, int repeats,
                                                             uint32_t blocks);
  ~ReplayTimer();

  // Microseconds of one replay of what `put` puts into the stream, between an event before it and
  // one after it: the median of the repeats.
  absl::StatusOr<double> Median(StreamView stream, const std::function<absl::Status()>& put);

 private:
  ReplayTimer(int repeats, uint32_t blocks) : repeats_(repeats), blocks_(blocks) {}
  absl::Status Flush(StreamView stream);
  absl::StatusOr<double> Once(StreamView stream, cudaGraphExec_t graph);
  absl::StatusOr<double> MedianOf(StreamView stream, cudaGraphExec_t graph);

  const int repeats_;
  const uint32_t blocks_;
  DeviceBuffer flushed_;
  DeviceBuffer sink_;
  cudaEvent_t before_ = nullptr;
  cudaEvent_t after_ = nullptr;
};

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_GPU_REPLAY_TIMER_H_

#include "bench/gpu/replay_timer.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "bench/gpu/memory_kernels.h"
#include "kernels/cuda/cuda_status.h"

namespace tessera::bench {
namespace {

constexpr int kWarmUps = 3;

#ifdef TESSERA_SIMT_EMULATED
// The played runtime's events keep no time: what counts there is that everything runs.
absl::StatusOr<double> Elapsed(cudaEvent_t, cudaEvent_t,
                               std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
  return passed.count();
}
#else
absl::StatusOr<double> Elapsed(cudaEvent_t before, cudaEvent_t after,
                               std::chrono::steady_clock::time_point) {
  float milliseconds = 0;
  const absl::Status read =
      CudaStatus(cudaEventElapsedTime(&milliseconds, before, after), "cudaEventElapsedTime");
  if (!read.ok()) return read;
  return milliseconds * 1e3;
}
#endif

}  // namespace

absl::StatusOr<std::unique_ptr<ReplayTimer>> ReplayTimer::Create(size_t flush_bytes, int repeats,
                                                                 uint32_t blocks) {
  std::unique_ptr<ReplayTimer> timer(new ReplayTimer(repeats, blocks));
  if (absl::Status s = timer->flushed_.Reserve(2 * flush_bytes); !s.ok()) return s;
  if (absl::Status s = timer->sink_.Reserve(sizeof(uint32_t)); !s.ok()) return s;
  for (cudaEvent_t* event : {&timer->before_, &timer->after_}) {
    const absl::Status made = CudaStatus(cudaEventCreateWithFlags(event, 0), "cudaEventCreate");
    if (!made.ok()) return made;
  }
  return timer;
}

ReplayTimer::~ReplayTimer() {
  for (cudaEvent_t event : {before_, after_}) {
    if (event != nullptr) (void)cudaEventDestroy(event);
  }
}

absl::StatusOr<double> ReplayTimer::Median(StreamView stream,
                                           const std::function<absl::Status()>& put) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  absl::Status status =
      CudaStatus(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal),
                 "cudaStreamBeginCapture");
  if (!status.ok()) return status;
  status = put();
  const absl::Status ended =
      CudaStatus(cudaStreamEndCapture(stream.get(), &graph), "cudaStreamEndCapture");
  if (status.ok()) status = ended;
  if (status.ok()) {
    status = CudaStatus(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  }
  const absl::StatusOr<double> median =
      status.ok() ? MedianOf(stream, executable) : absl::StatusOr<double>(status);
  if (executable != nullptr) (void)cudaGraphExecDestroy(executable);
  if (graph != nullptr) (void)cudaGraphDestroy(graph);
  return median;
}

absl::StatusOr<double> ReplayTimer::MedianOf(StreamView stream, cudaGraphExec_t graph) {
  std::vector<double> times;
  for (int i = 0; i < kWarmUps + repeats_; ++i) {
    const absl::StatusOr<double> time = Once(stream, graph);
    if (!time.ok()) return time.status();
    if (i >= kWarmUps) times.push_back(*time);
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

absl::Status ReplayTimer::Flush(StreamView stream) {
  const size_t bytes = flushed_.view().bytes / 2;
  std::byte* const data = flushed_.view().data;
  absl::Status status =
      CudaStatus(cudaMemsetAsync(data, 0, bytes, stream.get()), "cudaMemsetAsync");
  if (!status.ok()) return status;
  auto* const sink = reinterpret_cast<uint32_t*>(sink_.view().data);
  return CudaStatus(LaunchRead(data + bytes, bytes, sink, blocks_, stream.get()), "reading");
}

// The host is ahead of the device, which is still flushing when the graph is put in.
absl::StatusOr<double> ReplayTimer::Once(StreamView stream, cudaGraphExec_t graph) {
  if (absl::Status s = Flush(stream); !s.ok()) return s;
  const auto start = std::chrono::steady_clock::now();
  const absl::Status put[] = {
      CudaStatus(cudaEventRecord(before_, stream.get()), "cudaEventRecord"),
      CudaStatus(cudaGraphLaunch(graph, stream.get()), "cudaGraphLaunch"),
      CudaStatus(cudaEventRecord(after_, stream.get()), "cudaEventRecord"),
      stream.Synchronize(),
  };
  for (const absl::Status& status : put) {
    if (!status.ok()) return status;
  }
  return Elapsed(before_, after_, start);
}

}  // namespace tessera::bench

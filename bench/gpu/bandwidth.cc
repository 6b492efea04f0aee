#include "bench/gpu/bandwidth.h"

#include <utility>

#include "bench/gpu/memory_kernels.h"
#include "kernels/cuda/cuda_status.h"

namespace tessera::bench {

absl::StatusOr<Bandwidth> MeasureBandwidth(size_t bytes, uint32_t blocks, ReplayTimer& timer) {
  DeviceBuffer memory;
  if (absl::Status s = memory.Reserve(bytes + 256); !s.ok()) return s;
  std::byte* const data = memory.view().data;
  auto* const sink = reinterpret_cast<uint32_t*>(data + bytes);
  absl::StatusOr<Stream> owned = Stream::Create();
  if (!owned.ok()) return owned.status();
  const StreamView stream = owned->view();
  const absl::Status written =
      CudaStatus(cudaMemsetAsync(data, 0, bytes + 256, stream.get()), "cudaMemsetAsync");
  if (!written.ok()) return written;
  if (absl::Status s = stream.Synchronize(); !s.ok()) return s;

  const absl::StatusOr<double> copied = timer.Median(stream, [&] {
    return CudaStatus(
        cudaMemcpyAsync(data, data + bytes / 2, bytes / 2, cudaMemcpyDeviceToDevice, stream.get()),
        "copying on the device");
  });
  if (!copied.ok()) return copied.status();
  const absl::StatusOr<double> read = timer.Median(stream, [&] {
    return CudaStatus(LaunchRead(data, bytes, sink, blocks, stream.get()), "reading");
  });
  if (!read.ok()) return read.status();
  const absl::StatusOr<double> nothing =
      timer.Median(stream, [&] { return CudaStatus(LaunchNothing(stream.get()), "launching"); });
  if (!nothing.ok()) return nothing.status();
  const double kilobytes = static_cast<double>(bytes) * 1e-3;  // per microsecond: GB/s
  return Bandwidth{kilobytes / *copied, kilobytes / *read, *nothing};
}

}  // namespace tessera::bench

#include "kernels/cuda/streams.h"

#include "kernels/cuda/cuda_status.h"

namespace tessera {

absl::Status StreamView::Record(EventView event) const {
  return CudaStatus(cudaEventRecord(event.get(), stream_), "cudaEventRecord");
}

absl::Status StreamView::WaitFor(EventView event) const {
  return CudaStatus(cudaStreamWaitEvent(stream_, event.get(), 0), "cudaStreamWaitEvent");
}

absl::Status StreamView::Synchronize() const {
  return CudaStatus(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

absl::StatusOr<Stream> Stream::Create() {
  cudaStream_t stream = nullptr;
  const absl::Status made = CudaStatus(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                                       "cudaStreamCreateWithFlags");
  if (!made.ok()) return made;
  return Stream(stream);
}

// A destructor has nobody to tell: an error that matters meets the next call too.
void Stream::Destroy::operator()(cudaStream_t stream) const { (void)cudaStreamDestroy(stream); }

absl::StatusOr<Event> Event::Create() {
  cudaEvent_t event = nullptr;
  const absl::Status made = CudaStatus(cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
                                       "cudaEventCreateWithFlags");
  if (!made.ok()) return made;
  return Event(event);
}

void Event::Destroy::operator()(cudaEvent_t event) const { (void)cudaEventDestroy(event); }

}  // namespace tessera

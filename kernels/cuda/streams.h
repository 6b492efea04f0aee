// Streams and events: owners, and the views that are handed around.
#ifndef TESSERA_KERNELS_CUDA_STREAMS_H_
#define TESSERA_KERNELS_CUDA_STREAMS_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/cuda/cuda_api.h"

namespace tessera {

class EventView {
 public:
  explicit EventView(cudaEvent_t event) : event_(event) {}
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_;
};

class StreamView {
 public:
  explicit StreamView(cudaStream_t stream) : stream_(stream) {}
  cudaStream_t get() const { return stream_; }

  absl::Status Record(EventView event) const;
  // What is put in from now on runs after the event's last record. The caller does not wait.
  absl::Status WaitFor(EventView event) const;
  // The caller waits for everything put in so far, and learns how it ended.
  absl::Status Synchronize() const;

 private:
  cudaStream_t stream_;
};

// Of the thread's current device. What is still in it when it is destroyed runs to its end.
class Stream {
 public:
  static absl::StatusOr<Stream> Create();
  StreamView view() const { return StreamView(stream_.get()); }

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const;
  };
  explicit Stream(cudaStream_t stream) : stream_(stream) {}

  std::unique_ptr<CUstream_st, Destroy> stream_;
};

// Orders streams; carries no time.
class Event {
 public:
  static absl::StatusOr<Event> Create();
  EventView view() const { return EventView(event_.get()); }

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const;
  };
  explicit Event(cudaEvent_t event) : event_(event) {}

  std::unique_ptr<CUevent_st, Destroy> event_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_STREAMS_H_

// The played CUDA runtime: streams, events, graphs.
#include <memory>
#include <utility>

#include "tests/simt/fake_state.h"

namespace {

using simt::Call;
using simt::EventCount;
using simt::FakeState;
using simt::GiveBack;
using simt::Operation;

// Waits until everything of `stream`, or of all streams where it is null, has run.
cudaError_t Drain(FakeState& state, cudaStream_t stream) {
  if (state.streams.capturing()) return cudaErrorStreamCaptureUnsupported;
  const auto done = [&] {
    return stream == nullptr ? state.streams.pending() == 0 : stream->operations.empty();
  };
  const cudaError_t error = state.streams.RunUntil(done, stream);
  return error == cudaSuccess ? error : state.Lose(error);
}

}  // namespace

cudaError_t cudaDeviceSynchronize() {
  return Call("cudaDeviceSynchronize", [](FakeState& state) { return Drain(state, nullptr); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
  return Call("cudaStreamCreateWithFlags", [&](FakeState& state) {
    *stream = state.streams.Create();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return GiveBack("cudaStreamDestroy", [&](FakeState& state) {
    if (!state.streams.Lives(stream)) return cudaErrorInvalidResourceHandle;
    state.streams.Destroy(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return Call("cudaStreamSynchronize", [&](FakeState& state) {
    if (!state.streams.Lives(stream)) return cudaErrorInvalidResourceHandle;
    return Drain(state, stream);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return Call("cudaStreamQuery", [&](FakeState& state) {
    if (!state.streams.Lives(stream)) return cudaErrorInvalidResourceHandle;
    const cudaError_t error = state.streams.RunSome();
    if (error != cudaSuccess) return state.Lose(error);
    return stream->operations.empty() ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/) {
  return Call("cudaStreamWaitEvent", [&](FakeState& state) {
    if (!state.streams.Lives(stream) || !state.events.contains(event)) {
      return cudaErrorInvalidResourceHandle;
    }
    state.streams.Put(stream, {nullptr, event->count, event->count->recorded});
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned /*flags*/) {
  return Call("cudaEventCreateWithFlags", [&](FakeState& state) {
    *event = new CUevent_st;
    state.events.insert(*event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return GiveBack("cudaEventDestroy", [&](FakeState& state) {
    if (state.events.erase(event) == 0) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return Call("cudaEventRecord", [&](FakeState& state) {
    if (!state.streams.Lives(stream) || !state.events.contains(event)) {
      return cudaErrorInvalidResourceHandle;
    }
    if (stream->captured != nullptr) return cudaErrorStreamCaptureUnsupported;
    const std::shared_ptr<EventCount> count = event->count;
    const uint64_t mine = ++count->recorded;
    state.streams.Put(stream, {[count, mine] {
                        if (count->reached < mine) count->reached = mine;
                        return cudaSuccess;
                      }});
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return Call("cudaEventQuery", [&](FakeState& state) {
    if (!state.events.contains(event)) return cudaErrorInvalidResourceHandle;
    const cudaError_t error = state.streams.RunSome();
    if (error != cudaSuccess) return state.Lose(error);
    return event->count->reached == event->count->recorded ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return Call("cudaEventSynchronize", [&](FakeState& state) {
    if (!state.events.contains(event)) return cudaErrorInvalidResourceHandle;
    const auto done = [&] { return event->count->reached == event->count->recorded; };
    const cudaError_t error = state.streams.RunUntil(done, nullptr);
    return error == cudaSuccess ? error : state.Lose(error);
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode /*mode*/) {
  return Call("cudaStreamBeginCapture", [&](FakeState& state) {
    if (!state.streams.Lives(stream) || state.streams.capturing()) {
      return cudaErrorInvalidResourceHandle;
    }
    stream->captured = std::make_unique<CUgraph_st>();
    state.streams.set_capturing(true);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return Call("cudaStreamEndCapture", [&](FakeState& state) {
    if (!state.streams.Lives(stream) || stream->captured == nullptr) {
      return cudaErrorInvalidResourceHandle;
    }
    *graph = stream->captured.release();
    state.graphs.insert(*graph);
    state.streams.set_capturing(false);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long /*flags*/) {  // NOLINT(google-runtime-int)
  return Call("cudaGraphInstantiate", [&](FakeState& state) {
    if (!state.graphs.contains(graph)) return cudaErrorInvalidResourceHandle;
    *executable = new CUgraphExec_st{graph->operations};
    state.executables.insert(*executable);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return Call("cudaGraphLaunch", [&](FakeState& state) {
    if (!state.executables.contains(executable) || !state.streams.Lives(stream)) {
      return cudaErrorInvalidResourceHandle;
    }
    for (const Operation& operation : executable->operations) {
      state.streams.Put(stream, operation);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return GiveBack("cudaGraphDestroy", [&](FakeState& state) {
    if (state.graphs.erase(graph) == 0) return cudaErrorInvalidResourceHandle;
    delete graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return GiveBack("cudaGraphExecDestroy", [&](FakeState& state) {
    if (state.executables.erase(executable) == 0) return cudaErrorInvalidResourceHandle;
    delete executable;
    return cudaSuccess;
  });
}

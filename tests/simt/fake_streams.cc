#include "tests/simt/fake_streams.h"

#include <algorithm>
#include <utility>

namespace simt {

cudaStream_t FakeStreams::Create() {
  streams_.push_back(std::make_unique<CUstream_st>());
  return streams_.back().get();
}

void FakeStreams::Destroy(cudaStream_t stream) {
  stream->destroyed = true;
  if (stream->captured != nullptr) capturing_ = false;
  std::erase_if(streams_, [](const auto& s) { return s->destroyed && s->operations.empty(); });
}

bool FakeStreams::Lives(cudaStream_t stream) const {
  return std::any_of(streams_.begin(), streams_.end(),
                     [&](const auto& s) { return s.get() == stream && !s->destroyed; });
}

size_t FakeStreams::live() const {
  return std::count_if(streams_.begin(), streams_.end(),
                       [](const auto& s) { return !s->destroyed; });
}

size_t FakeStreams::pending() const {
  size_t pending = 0;
  for (const auto& stream : streams_) pending += stream->operations.size();
  return pending;
}

void FakeStreams::Put(cudaStream_t stream, Operation operation) {
  if (stream->captured != nullptr) {
    stream->captured->operations.push_back(std::move(operation));
  } else {
    stream->operations.push_back(std::move(operation));
  }
}

std::vector<CUstream_st*> FakeStreams::Ready() const {
  std::vector<CUstream_st*> ready;
  for (const auto& stream : streams_) {
    if (!stream->operations.empty() && stream->operations.front().ready()) {
      ready.push_back(stream.get());
    }
  }
  return ready;
}

// Lazily, whatever stream is wanted goes first and the others only where it waits for them.
CUstream_st* FakeStreams::Pick(cudaStream_t wanted) {
  const std::vector<CUstream_st*> ready = Ready();
  if (ready.empty()) return nullptr;
  if (lazy_ && std::find(ready.begin(), ready.end(), wanted) != ready.end()) return wanted;
  return ready[random_() % ready.size()];
}

cudaError_t FakeStreams::RunHead(CUstream_st& stream) {
  const Operation operation = std::move(stream.operations.front());
  stream.operations.pop_front();
  const cudaError_t error = operation.run ? operation.run() : cudaSuccess;
  std::erase_if(streams_, [](const auto& s) { return s->destroyed && s->operations.empty(); });
  return error;
}

cudaError_t FakeStreams::RunUntil(const std::function<bool()>& done, cudaStream_t wanted) {
  while (!done()) {
    CUstream_st* stream = Pick(wanted);
    if (stream == nullptr) return cudaErrorUnknown;
    const cudaError_t error = RunHead(*stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t FakeStreams::RunSome() {
  if (lazy_) return cudaSuccess;
  for (uint64_t n = random_() % 4; n > 0; --n) {
    CUstream_st* stream = Pick(nullptr);
    if (stream == nullptr) return cudaSuccess;
    const cudaError_t error = RunHead(*stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

void FakeStreams::DropAll() {
  for (const auto& stream : streams_) stream->operations.clear();
  std::erase_if(streams_, [](const auto& s) { return s->destroyed; });
}

}  // namespace simt

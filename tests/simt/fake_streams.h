// The queues of the played CUDA runtime: operations wait in their streams until somebody waits for
// them, and run in an order that only streams and events restrict.
#ifndef TESSERA_TESTS_SIMT_FAKE_STREAMS_H_
#define TESSERA_TESTS_SIMT_FAKE_STREAMS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "tests/simt/cuda_types.h"

namespace simt {

// How often an event was recorded, and how many of those records were reached.
struct EventCount {
  uint64_t recorded = 0;
  uint64_t reached = 0;
};

// One entry of a stream: it stands still until `after` has been reached `records` times.
struct Operation {
  std::function<cudaError_t()> run;
  std::shared_ptr<EventCount> after = nullptr;
  uint64_t records = 0;

  bool ready() const { return after == nullptr || after->reached >= records; }
};

}  // namespace simt

struct CUgraph_st {
  std::vector<simt::Operation> operations;
};
struct CUgraphExec_st {
  std::vector<simt::Operation> operations;
};
struct CUevent_st {
  std::shared_ptr<simt::EventCount> count = std::make_shared<simt::EventCount>();
};
struct CUstream_st {
  std::deque<simt::Operation> operations;
  bool destroyed = false;                // what it holds may still run
  std::unique_ptr<CUgraph_st> captured;  // while capturing
};

namespace simt {

class FakeStreams {
 public:
  explicit FakeStreams(uint64_t seed) : lazy_(seed == 0), random_(seed) {}

  cudaStream_t Create();
  void Destroy(cudaStream_t stream);
  bool Lives(cudaStream_t stream) const;
  bool capturing() const { return capturing_; }
  void set_capturing(bool capturing) { capturing_ = capturing; }
  size_t live() const;
  size_t pending() const;

  // Into the stream, or into what it captures.
  void Put(cudaStream_t stream, Operation operation);

  // Runs operations until `done`; the error of the first that fails. Only what stands ready runs; a
  // program that waits for what nobody recorded gets cudaErrorUnknown.
  cudaError_t RunUntil(const std::function<bool()>& done, cudaStream_t wanted);
  // Some, perhaps none: time passes.
  cudaError_t RunSome();
  void DropAll();

 private:
  cudaError_t RunHead(CUstream_st& stream);
  CUstream_st* Pick(cudaStream_t wanted);
  std::vector<CUstream_st*> Ready() const;

  bool lazy_;
  std::mt19937_64 random_;
  bool capturing_ = false;
  std::vector<std::unique_ptr<CUstream_st>> streams_;
};

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_FAKE_STREAMS_H_

// Measures a server in a closed loop: each worker sends its next request when the last is answered.
#ifndef TESSERA_CLIENT_CLI_LOAD_RUN_H_
#define TESSERA_CLIENT_CLI_LOAD_RUN_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "client/cli/latency_histogram.h"
#include "client/client.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera::cli {

struct LoadSpec {
  int64_t rows = 64;
  int64_t vocab_size = 128256;
  v1::ElementType type = v1::ELEMENT_TYPE_BFLOAT16;
  v1::SamplerChain chain;
  int64_t samples = 1;
  int64_t top_logprobs = 0;  // of the processed law; 0: no logprobs at all

  int64_t concurrency = 4;   // workers, each with a connection of its own
  double seconds = 10;       // no request starts later
  int64_t max_requests = 0;  // nor any beyond so many; 0: no such bound
};

// Rows of iid normal logits of standard deviation 3, always the same ones; row r has seed r.
// REQUIRES: rows, vocab_size >= 1.
v1::SampleTokensRequest MakeLoadRequest(const LoadSpec& spec);

struct LoadResult {
  LatencyHistogram latency;  // of answered requests, as the client sees it
  LatencyHistogram compute;  // of the same, what the server says it spent in its backend
  uint64_t failed = 0;       // requests answered with an error
  uint64_t differing = 0;    // answered with other bytes than the first answer
  uint64_t rows_failed = 0;  // rows of answered requests whose outcome is not OK
  double seconds = 0;        // from the first request to the last answer
  std::map<std::string, uint64_t> errors;  // how often each message came

  void Merge(const LoadResult& other);
};

// What a progress line shows.
struct LoadProgress {
  double seconds;
  uint64_t answered;
  uint64_t failed;
};

// Sends one request to learn the answer that all others must equal, then lets the workers loop.
// `progress`, if set, is called on the calling thread twice a second. Fails only when that first
// request does. Warm-up requests, one for each worker, are not counted.
absl::StatusOr<LoadResult> RunClosedLoop(const LoadSpec& spec, const std::string& address,
                                         const ClientOptions& options,
                                         const std::function<void(const LoadProgress&)>& progress);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_LOAD_RUN_H_

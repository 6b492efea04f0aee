// Feeds requests that nobody sane would send to decode, sampler and encode, without a transport.
// Under the sanitizers no request may crash them; one that is answered must be answered the same
// way twice, with tokens inside its vocabulary.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "fuzzer/FuzzedDataProvider.h"
#include "kernels/backend.h"
#include "service/limits.h"
#include "service/sample_tokens.h"
#include "tessera/v1/sampling.pb.h"
#include "tests/fuzz/wild_request.h"

namespace tessera {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

// Small, so that a run is many requests and the limits themselves are met.
constexpr Limits kLimits = {.max_rows = 8, .max_chains = 8, .max_row_ids = 16, .max_history = 16};
constexpr int64_t kLargestElements = 1 << 16;  // of logits; more would only be slower

bool TooSlow(const v1::SampleTokensRequest& request) {
  int64_t elements = 0;
  for (const v1::Tensor& tensor : request.logits()) elements += tensor.inline_bytes().size();
  return elements > kLargestElements;
}

void CheckAnswer(const v1::SampleTokensRequest& request, const v1::SampleTokensResponse& response) {
  Require(response.outcomes_size() == request.rows_size());
  for (int32_t token : response.tokens()) {
    Require(token >= -1 && token < static_cast<int64_t>(request.vocab_size()));
  }
}

void RunTwice(v1::SampleTokensRequest request, Backend& backend) {
  if (TooSlow(request)) return;
  for (v1::SampleRow& row : *request.mutable_rows()) {
    if (!row.has_seed()) row.set_seed(7);  // the server's own would differ from run to run
  }
  auto first = SampleTokens(request, backend, kLimits);
  auto second = SampleTokens(request, backend, kLimits);
  Require(first.status() == second.status());
  if (!first.ok()) return;
  CheckAnswer(request, *first);
  first->clear_execution();
  second->clear_execution();
  Require(first->SerializeAsString() == second->SerializeAsString());
}

}  // namespace
}  // namespace tessera

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static tessera::Backend* const backend = tessera::MakeScalarBackend().release();
  FuzzedDataProvider fuzzed(bytes, size);
  if (fuzzed.ConsumeIntegralInRange(0, 7) == 0) {
    // Bytes off the wire. protobuf refuses most of them; what it accepts goes on.
    tessera::v1::SampleTokensRequest request;
    if (request.ParseFromString(fuzzed.ConsumeRemainingBytesAsString())) {
      tessera::RunTwice(std::move(request), *backend);
    }
  } else {
    tessera::RunTwice(tessera::WildRequest(fuzzed), *backend);
  }
  return 0;
}

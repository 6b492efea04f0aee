#include "service/sample_tokens.h"

#include <chrono>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "service/decode_request.h"
#include "service/encode.h"
#include "service/seeds.h"

namespace tessera {
namespace {

uint64_t NanosSince(std::chrono::steady_clock::time_point start) {
  return static_cast<uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count());
}

// A batch without rows, because none were sent or all were refused, needs no backend.
absl::Status Run(const Job& job, Backend& backend, BatchResult* results) {
  if (job.rows.empty()) return absl::OkStatus();
  const Batch batch{.logits = job.logits, .vocab_size = job.vocab_size, .rows = job.rows};
  absl::Status status = backend.Run(batch, results);
  if (status.ok()) return status;
  return absl::InternalError(absl::StrCat("backend ", backend.name(), ": ", status.message()));
}

}  // namespace

absl::StatusOr<v1::SampleTokensResponse> SampleTokens(const v1::SampleTokensRequest& request,
                                                      Backend& backend, const Limits& limits,
                                                      const StillWanted& still_wanted) {
  const auto start = std::chrono::steady_clock::now();
  absl::StatusOr<Job> job = DecodeRequest(request, limits);
  if (!job.ok()) return job.status();
  if (absl::Status status = FillSeeds(&*job); !status.ok()) return status;
  const uint64_t decode_nanos = NanosSince(start);

  if (still_wanted) {
    if (absl::Status status = still_wanted(); !status.ok()) return status;
  }
  const auto run_start = std::chrono::steady_clock::now();
  BatchResult results;
  if (absl::Status status = Run(*job, backend, &results); !status.ok()) return status;
  const uint64_t compute_nanos = NanosSince(run_start);

  const auto encode_start = std::chrono::steady_clock::now();
  const BatchResult& finished = results;
  v1::SampleTokensResponse response = EncodeResponse(request, *job, finished.rows());
  v1::ExecutionReport* execution = response.mutable_execution();
  if (!request.logits().empty()) execution->set_source_used(v1::TENSOR_SOURCE_INLINE);
  execution->set_backend(backend.name());
  execution->set_decode_nanos(decode_nanos);
  execution->set_compute_nanos(compute_nanos);
  execution->set_encode_nanos(NanosSince(encode_start));
  return response;
}

}  // namespace tessera

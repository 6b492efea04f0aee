#include "service/sample_tokens.h"

#include <bitset>
#include <chrono>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "service/decode_request.h"
#include "service/encode.h"
#include "service/run_job.h"
#include "service/seeds.h"

namespace tessera {
namespace {

uint64_t NanosSince(std::chrono::steady_clock::time_point start) {
  return static_cast<uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count());
}

// A small request can ask for a large response: every row may want many reports.
absl::Status CheckResponseBytes(const Job& job, const Limits& limits) {
  constexpr int64_t kEntryBytes = 8;      // of a token, a logprob with its rank, a ranked token
  constexpr int64_t kLawEntryBytes = 11;  // of an id with its weight
  int64_t bytes = 0;
  for (const RowInput& row : job.rows) {
    const auto modes = static_cast<int64_t>(std::bitset<8>(row.logprob_modes).count());
    const int64_t reported =
        row.samples + static_cast<int64_t>(row.score_ids.size()) + row.top_logprobs;
    bytes += kEntryBytes * (row.samples + modes * reported);
    if (row.want_law) bytes += kLawEntryBytes * row.max_law_ids;
  }
  if (bytes <= limits.max_response_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the rows ask for a response of about ", bytes, " bytes; it may be at most ",
                   limits.max_response_bytes,
                   "; ask for fewer samples, score_ids or top_n, or split the batch"));
}

// Rows whose law does not fit what they asked for.
void FailLargeLaws(const Job& job, BatchResult* results) {
  for (size_t i = 0; i < job.rows.size(); ++i) {
    RowResult& row = results->rows()[i];
    const bool fits = !job.rows[i].want_law || row.support_size <= job.rows[i].max_law_ids;
    if (row.outcome == Outcome::kOk && !fits) row.outcome = Outcome::kLawTooLarge;
  }
}

}  // namespace

absl::StatusOr<v1::SampleTokensResponse> SampleTokens(const v1::SampleTokensRequest& request,
                                                      Backend& backend, const Limits& limits,
                                                      const StillWanted& still_wanted) {
  const auto start = std::chrono::steady_clock::now();
  absl::StatusOr<Job> job = DecodeRequest(request, limits);
  if (!job.ok()) return job.status();
  if (absl::Status status = CheckResponseBytes(*job, limits); !status.ok()) return status;
  if (absl::Status status = FillSeeds(&*job); !status.ok()) return status;
  if (absl::Status status = FillWords(&*job, still_wanted); !status.ok()) return status;
  const uint64_t decode_nanos = NanosSince(start);

  if (still_wanted) {
    if (absl::Status status = still_wanted(); !status.ok()) return status;
  }
  const auto run_start = std::chrono::steady_clock::now();
  BatchResult results;
  if (absl::Status status = RunJob(*job, backend, still_wanted, &results); !status.ok()) {
    return status;
  }
  FailLargeLaws(*job, &results);
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

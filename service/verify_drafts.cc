#include "service/verify_drafts.h"

#include <chrono>
#include <utility>

#include "service/emitted_logprobs.h"
#include "service/encode_verification.h"
#include "service/explain_verification.h"
#include "service/verification_job.h"

namespace tessera {
namespace {

uint64_t NanosSince(std::chrono::steady_clock::time_point start) {
  return static_cast<uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count());
}

VerificationBatch BatchOf(const VerificationJob& job, const StillWanted& still_wanted) {
  VerificationBatch batch;
  batch.target = job.target.logits;
  batch.draft = job.draft.logits;
  batch.guidance = job.target.guidance;
  batch.vocab_size = job.target.vocab_size;
  batch.sequences = job.sequences;
  if (still_wanted) batch.still_wanted = [&still_wanted] { return still_wanted().ok(); };
  return batch;
}

// What the backend does for one call.
absl::Status Compute(const VerificationJob& job, bool explain, Backend& backend,
                     const StillWanted& still_wanted, VerificationAnswers* answers) {
  if (job.sequences.empty()) return absl::OkStatus();
  const VerificationBatch batch = BatchOf(job, still_wanted);
  absl::Status status = VerifyDrafts(batch, backend, &answers->sequences);
  if (status.ok())
    status = RunEmitted(job, answers->sequences, backend, still_wanted, &answers->emitted,
                        &answers->reports);
  if (status.ok() && explain) {
    status = ExplainVerification(batch, answers->sequences, backend, &answers->explanations);
  }
  return FromBackend(status, backend, still_wanted);
}

}  // namespace

absl::StatusOr<v1::VerifyDraftsResponse> VerifyDrafts(v1::VerifyDraftsRequest* request,
                                                      Backend& backend, const Limits& limits,
                                                      const StillWanted& still_wanted) {
  const auto start = std::chrono::steady_clock::now();
  const bool inline_logits = !request->target_logits().empty();
  absl::StatusOr<VerificationJob> job = DecodeVerification(request, limits);
  if (!job.ok()) return job.status();
  const uint64_t decode_nanos = NanosSince(start);

  if (still_wanted) {
    if (absl::Status status = still_wanted(); !status.ok()) return status;
  }
  const auto run_start = std::chrono::steady_clock::now();
  VerificationAnswers answers;
  absl::Status status = Compute(*job, request->explain(), backend, still_wanted, &answers);
  if (!status.ok()) return status;
  const uint64_t compute_nanos = NanosSince(run_start);

  const auto encode_start = std::chrono::steady_clock::now();
  v1::VerifyDraftsResponse response = EncodeVerification(*request, *job, std::move(answers));
  v1::ExecutionReport* execution = response.mutable_execution();
  if (inline_logits) execution->set_source_used(v1::TENSOR_SOURCE_INLINE);
  execution->set_backend(backend.name());
  execution->set_decode_nanos(decode_nanos);
  execution->set_compute_nanos(compute_nanos);
  execution->set_encode_nanos(NanosSince(encode_start));
  return response;
}

}  // namespace tessera

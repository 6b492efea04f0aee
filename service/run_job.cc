#include "service/run_job.h"

#include "absl/strings/str_cat.h"

namespace tessera {

Batch BatchOf(const Job& job) {
  Batch batch;
  batch.logits = job.logits;
  batch.guidance = job.guidance;
  batch.vocab_size = job.vocab_size;
  batch.rows = job.rows;
  return batch;
}

absl::Status FromBackend(const absl::Status& status, const Backend& backend,
                         const StillWanted& still_wanted) {
  if (status.ok()) return status;
  if (still_wanted && absl::IsCancelled(status)) return still_wanted();  // says why
  // What may go better later or elsewhere keeps its code; anything else is a fault to report.
  const bool may_retry = absl::IsUnavailable(status) || absl::IsResourceExhausted(status);
  return absl::Status(may_retry ? status.code() : absl::StatusCode::kInternal,
                      absl::StrCat("backend ", backend.name(), ": ", status.message()));
}

absl::Status RunJob(const Job& job, Backend& backend, const StillWanted& still_wanted,
                    BatchResult* results) {
  if (job.rows.empty()) return absl::OkStatus();
  Batch batch = BatchOf(job);
  if (still_wanted) batch.still_wanted = [&still_wanted] { return still_wanted().ok(); };
  return FromBackend(backend.Run(batch, results), backend, still_wanted);
}

}  // namespace tessera

// Runs a job's rows on a backend.
#ifndef TESSERA_SERVICE_RUN_JOB_H_
#define TESSERA_SERVICE_RUN_JOB_H_

#include <functional>

#include "absl/status/status.h"
#include "kernels/backend.h"
#include "service/job.h"

namespace tessera {

// Whether somebody still waits for the answer: an error (a deadline passed, a caller gone) ends the
// call. Null: always.
using StillWanted = std::function<absl::Status()>;

// What a backend runs for a job.
Batch BatchOf(const Job& job);

// What a call answers where the backend answered `status`: as RunJob says of errors.
absl::Status FromBackend(const absl::Status& status, const Backend& backend,
                         const StillWanted& still_wanted);

// Fills `results`. A job without rows, because none were sent or all were refused, needs no
// backend. Errors: those of `still_wanted`, and where the backend failed ResourceExhausted (its
// memory), Unavailable (its device is lost) or Internal.
absl::Status RunJob(const Job& job, Backend& backend, const StillWanted& still_wanted,
                    BatchResult* results);

}  // namespace tessera

#endif  // TESSERA_SERVICE_RUN_JOB_H_

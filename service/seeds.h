// Seeds for rows that came without one, and the random words of rows that do not draw with Philox.
#ifndef TESSERA_SERVICE_SEEDS_H_
#define TESSERA_SERVICE_SEEDS_H_

#include "absl/status/status.h"
#include "service/job.h"
#include "service/run_job.h"

namespace tessera {

// Gives every unseeded row of `job` 64 bits from the operating system. Internal: it gave none.
// Never 0, which a generator may not leave.
absl::Status FillSeeds(Job* job);

// Gives every row that draws with another generator its words. After FillSeeds. An error is that of
// `still_wanted`, asked before each such row: one of MT19937 may take a millisecond.
absl::Status FillWords(Job* job, const StillWanted& still_wanted);

}  // namespace tessera

#endif  // TESSERA_SERVICE_SEEDS_H_

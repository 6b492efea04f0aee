// Seeds for rows that came without one.
#ifndef TESSERA_SERVICE_SEEDS_H_
#define TESSERA_SERVICE_SEEDS_H_

#include "absl/status/status.h"
#include "service/job.h"

namespace tessera {

// Gives every unseeded row of `job` 64 bits from the operating system. Internal: it gave none.
absl::Status FillSeeds(Job* job);

}  // namespace tessera

#endif  // TESSERA_SERVICE_SEEDS_H_

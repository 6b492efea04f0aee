#include "service/seeds.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "kernels/random_words.h"

namespace tessera {

absl::Status FillSeeds(Job* job) {
  std::vector<uint64_t> seeds(job->unseeded.size());
  const size_t wanted = seeds.size() * sizeof(uint64_t);
  size_t filled = 0;
  while (filled < wanted) {
    const ssize_t got =
        getrandom(reinterpret_cast<std::byte*>(seeds.data()) + filled, wanted - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return absl::InternalError("getrandom gave no seed");
    filled += static_cast<size_t>(got);
  }
  for (size_t i = 0; i < seeds.size(); ++i) {
    job->rows[job->unseeded[i]].seed = std::max<uint64_t>(seeds[i], 1);
  }
  return absl::OkStatus();
}

absl::Status FillWords(Job* job, const StillWanted& still_wanted) {
  for (size_t i = 0; i < job->rows.size(); ++i) {
    RowInput& row = job->rows[i];
    if (row.plan->generator == Generator::kPhilox || row.plan->greedy) continue;
    if (still_wanted) {
      if (absl::Status status = still_wanted(); !status.ok()) return status;
    }
    RowLists& lists = job->lists[job->row_indices[i]];
    lists.words.resize(row.samples);
    const uint64_t state = lists.generator_state != 0 ? lists.generator_state : row.seed;
    FillRandomWords(row.plan->generator, row.seed, row.position, state,
                    absl::MakeSpan(lists.words));
    row.words = lists.words;
  }
  return absl::OkStatus();
}

}  // namespace tessera

#include "service/seeds.h"

#include <sys/random.h>

#include <cerrno>
#include <cstddef>
#include <vector>

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
  for (size_t i = 0; i < seeds.size(); ++i) job->rows[job->unseeded[i]].seed = seeds[i];
  return absl::OkStatus();
}

}  // namespace tessera

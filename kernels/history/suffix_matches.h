// Where a history has been before: how much of its end stands at every earlier place.
#ifndef TESSERA_KERNELS_HISTORY_SUFFIX_MATCHES_H_
#define TESSERA_KERNELS_HISTORY_SUFFIX_MATCHES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "kernels/types.h"

namespace tessera {

// [j], 1 <= j < ids.size(): the length of the longest common suffix of the first j ids and of all.
// [0] is 0. In linear time, whatever the ids.
std::vector<uint32_t> SuffixMatches(absl::Span<const TokenId> ids);

}  // namespace tessera

#endif  // TESSERA_KERNELS_HISTORY_SUFFIX_MATCHES_H_

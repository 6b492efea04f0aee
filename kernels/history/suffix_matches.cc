#include "kernels/history/suffix_matches.h"

#include <algorithm>

namespace tessera {

// The Z-algorithm, from the end. A place inside a match that is known already starts with what was
// found at its counterpart.
std::vector<uint32_t> SuffixMatches(absl::Span<const TokenId> ids) {
  const auto n = static_cast<uint32_t>(ids.size());
  std::vector<uint32_t> matches(n, 0);
  const auto back = [&](uint32_t i) { return ids[n - 1 - i]; };
  uint32_t start = 0;  // of the match that reaches furthest back, counted from the end
  uint32_t reach = 0;  // one past its last id, likewise
  for (uint32_t at = 1; at < n; ++at) {
    uint32_t length = 0;
    if (at < reach) length = std::min(reach - at, matches[n - (at - start)]);
    if (at + length >= reach) {
      while (at + length < n && back(length) == back(at + length)) ++length;
      start = at;
      reach = at + length;
    }
    matches[n - at] = length;
  }
  return matches;
}

}  // namespace tessera

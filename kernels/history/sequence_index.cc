#include "kernels/history/sequence_index.h"

#include <algorithm>

namespace tessera {

SequenceIndex::SequenceIndex(const std::vector<TokenSequence>& sequences)
    : sorted_(sequences.begin(), sequences.end()) {
  std::sort(sorted_.begin(), sorted_.end(), [](auto a, auto b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
}

size_t SequenceIndex::LongestAt(absl::Span<const TokenId> ids) const {
  size_t longest = 0;
  auto first = sorted_.begin();
  auto end = sorted_.end();
  // [first, end) agree with ids in what stands before `depth`; a shorter one stands before a
  // longer.
  for (size_t depth = 0; depth < ids.size() && first != end; ++depth) {
    const TokenId id = ids[depth];
    first = std::partition_point(first, end, [&](auto s) { return s[depth] < id; });
    end = std::partition_point(first, end, [&](auto s) { return s[depth] == id; });
    while (first != end && first->size() == depth + 1) {
      longest = depth + 1;
      ++first;
    }
  }
  return longest;
}

bool SequenceIndex::HasSingle(TokenId id) const { return LongestAt(absl::MakeSpan(&id, 1)) == 1; }

}  // namespace tessera

// Finds which of many sequences stand at a place, however many there are.
#ifndef TESSERA_KERNELS_HISTORY_SEQUENCE_INDEX_H_
#define TESSERA_KERNELS_HISTORY_SEQUENCE_INDEX_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "kernels/stages/token_sequences.h"

namespace tessera {

class SequenceIndex {
 public:
  // Keeps views of the sequences, none of which is empty.
  explicit SequenceIndex(const std::vector<TokenSequence>& sequences);

  bool empty() const { return sorted_.empty(); }

  // The length of the longest sequence that `ids` starts with; 0 if there is none.
  size_t LongestAt(absl::Span<const TokenId> ids) const;

  // Whether the id alone is one of the sequences.
  bool HasSingle(TokenId id) const;

 private:
  std::vector<absl::Span<const TokenId>> sorted_;  // as words in a dictionary
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_HISTORY_SEQUENCE_INDEX_H_

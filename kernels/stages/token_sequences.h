// Lists of token ids that a stage carries: words, sequences, breakers.
#ifndef TESSERA_KERNELS_STAGES_TOKEN_SEQUENCES_H_
#define TESSERA_KERNELS_STAGES_TOKEN_SEQUENCES_H_

#include <cstdint>
#include <vector>

#include "kernels/stages/refusal.h"
#include "kernels/types.h"

namespace tessera {

// Which part of a row's past a stage reads, in order: the prompt and then the output, or the output
// alone.
enum class HistoryScope : uint8_t { kPromptAndOutput, kOutput };

using TokenSequence = std::vector<TokenId>;

// Of one stage, over all its sequences: every row that runs the chain looks at each of them.
inline constexpr size_t kMaxSequenceIds = size_t{1} << 16;

// Adds up the lengths of a stage's sequences while it checks them, one after the other.
class SequenceCheck {
 public:
  explicit SequenceCheck(const char* field) : field_(field) {}

  // Ids are at least 0; the vocabulary's end is for whoever knows it (kernels/history_edits.h).
  Refusal Next(const TokenSequence& ids) {
    ++index_;
    if (ids.empty()) return {field_, 0, "at least 1", index_, "its length"};
    total_ += ids.size();
    if (total_ > kMaxSequenceIds) {
      return {field_, static_cast<double>(total_), "at most 65536 with all before it", index_,
              "ids"};
    }
    for (const TokenId id : ids) {
      if (id < 0) return {field_, static_cast<double>(id), "at least 0", index_, "an id"};
    }
    return {};
  }

  int64_t index() const { return index_; }  // of the sequence that was checked last

 private:
  const char* field_;
  int64_t index_ = -1;
  size_t total_ = 0;
};

inline Refusal CheckSequences(const char* field, const std::vector<TokenSequence>& sequences) {
  SequenceCheck check(field);
  for (const TokenSequence& ids : sequences) {
    if (const Refusal refusal = check.Next(ids)) return refusal;
  }
  return {};
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_TOKEN_SEQUENCES_H_

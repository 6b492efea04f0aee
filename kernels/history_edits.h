// What a chain's history stages (dry, no_repeat_ngram, bad_words, sequence_bias, watermark) make of
// a row's past: bans, additions and a green list, which every executor knows how to apply. Their
// rules are in kernels/stages; here they are worked out on the host, once a row.
#ifndef TESSERA_KERNELS_HISTORY_EDITS_H_
#define TESSERA_KERNELS_HISTORY_EDITS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kernels/chain.h"
#include "kernels/history/sequence_index.h"
#include "kernels/row_input.h"

namespace tessera {

// A row's past, oldest first. Ids are in [0, vocab_size).
struct TokenHistory {
  absl::Span<const TokenId> prompt;
  absl::Span<const TokenId> output;
};

struct HistoryEdits {
  std::vector<TokenId> banned;  // distinct; they belong into RowInput::banned, beside the row's own
  std::vector<Bias> additions[kMaxAdditions];
  std::vector<uint32_t> green;

  // Makes the row see `additions` and `green`; this object must outlive it. Not `banned`.
  void ShowTo(RowInput* row) const;
};

// InvalidArgument where a sequence that some stage may change the logit of ends outside the
// vocabulary: "stages[1].bad_words.words[3] ends in id 9; it must be below the vocabulary's 8".
absl::Status CheckLastIds(const Chain& chain, int64_t vocab_size);

class HistoryStages {
 public:
  // REQUIRES: `chain` compiles (CompileChain), passes CheckLastIds and outlives this object.
  HistoryStages(const Chain& chain, int64_t vocab_size);

  // Whether no stage reads the past: EditsOf then gives nothing, whatever the history.
  bool empty() const { return stages_.empty(); }

  // Time is linear in the history and in the chain's sequences, but for sorting what was found.
  HistoryEdits EditsOf(const TokenHistory& history) const;

 private:
  struct Reader;

  std::vector<const Stage*> stages_;     // those that read the past and are not off
  std::vector<SequenceIndex> breakers_;  // of each dry among them
  int64_t vocab_size_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_HISTORY_EDITS_H_

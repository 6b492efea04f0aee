// Words that must not be completed: the last id of a word is banned where the history ends in the
// word's other ids. A word of one id is always banned.
#ifndef TESSERA_KERNELS_STAGES_BAD_WORDS_H_
#define TESSERA_KERNELS_STAGES_BAD_WORDS_H_

#include <vector>

#include "kernels/stages/refusal.h"
#include "kernels/stages/token_sequences.h"

namespace tessera {

struct BadWords {
  std::vector<TokenSequence> words = {};  // none is empty; no words is off
  HistoryScope scope = HistoryScope::kOutput;
};

inline Refusal Check(const BadWords& stage) {
  return CheckSequences("bad_words.words", stage.words);
}

inline bool IsOff(const BadWords& stage) { return stage.words.empty(); }

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_BAD_WORDS_H_

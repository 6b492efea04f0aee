// No n-gram twice: bans every token that, behind the last n - 1 ids, would complete an n-gram that
// the history holds already (Paulus et al. 2017). n = 1 bans every id seen.
#ifndef TESSERA_KERNELS_STAGES_NO_REPEAT_NGRAM_H_
#define TESSERA_KERNELS_STAGES_NO_REPEAT_NGRAM_H_

#include <cstdint>

#include "kernels/stages/refusal.h"
#include "kernels/stages/token_sequences.h"

namespace tessera {

struct NoRepeatNgram {
  uint32_t n = 0;  // 0 is off
  HistoryScope scope = HistoryScope::kPromptAndOutput;
};

inline Refusal Check(const NoRepeatNgram&) { return {}; }

inline bool IsOff(const NoRepeatNgram& stage) { return stage.n == 0; }

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_NO_REPEAT_NGRAM_H_

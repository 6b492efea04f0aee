// Bias on sequences: where the history, prompt and output, ends in all but the last id of a
// sequence, that last id t gets y[t] + bias. A sequence of one id always counts. Several sequences
// that end in the same id are summed first, in their order, in binary32.
#ifndef TESSERA_KERNELS_STAGES_SEQUENCE_BIAS_H_
#define TESSERA_KERNELS_STAGES_SEQUENCE_BIAS_H_

#include <cmath>
#include <vector>

#include "kernels/stages/refusal.h"
#include "kernels/stages/token_sequences.h"

namespace tessera {

struct BiasedSequence {
  TokenSequence ids = {};  // not empty
  double bias = 0;         // finite in binary32, or -inf, which bans
};

struct SequenceBias {
  std::vector<BiasedSequence> sequences = {};  // none is off
};

inline Refusal Check(const SequenceBias& stage) {
  SequenceCheck check("sequence_bias.sequences");
  for (const BiasedSequence& sequence : stage.sequences) {
    if (const Refusal refusal = check.Next(sequence.ids)) return refusal;
    const float bias = static_cast<float>(sequence.bias);
    if (!std::isfinite(bias) && sequence.bias != -HUGE_VAL) {
      return {"sequence_bias.sequences", sequence.bias, "finite in binary32, or -inf, which bans",
              check.index(), "its bias"};
    }
  }
  return {};
}

inline bool IsOff(const SequenceBias& stage) { return stage.sequences.empty(); }

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_SEQUENCE_BIAS_H_

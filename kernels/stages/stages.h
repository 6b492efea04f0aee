// Every stage, in one list.
#ifndef TESSERA_KERNELS_STAGES_STAGES_H_
#define TESSERA_KERNELS_STAGES_STAGES_H_

#include <variant>

#include "kernels/stages/adaptive_p.h"
#include "kernels/stages/bad_words.h"
#include "kernels/stages/draw_rule.h"
#include "kernels/stages/dry.h"
#include "kernels/stages/dynamic_temperature.h"
#include "kernels/stages/epsilon.h"
#include "kernels/stages/eta.h"
#include "kernels/stages/greedy.h"
#include "kernels/stages/guidance.h"
#include "kernels/stages/logit_bias.h"
#include "kernels/stages/min_p.h"
#include "kernels/stages/mirostat.h"
#include "kernels/stages/no_repeat_ngram.h"
#include "kernels/stages/penalties.h"
#include "kernels/stages/sequence_bias.h"
#include "kernels/stages/smoothing.h"
#include "kernels/stages/tail_free.h"
#include "kernels/stages/temperature.h"
#include "kernels/stages/top_a.h"
#include "kernels/stages/top_k.h"
#include "kernels/stages/top_n_sigma.h"
#include "kernels/stages/top_p.h"
#include "kernels/stages/typical_p.h"
#include "kernels/stages/watermark.h"
#include "kernels/stages/xtc.h"

namespace tessera {

using Stage =
    std::variant<LogitBias, RepetitionPenalty, FrequencyPenalty, PresencePenalty, Temperature,
                 Greedy, TopK, TopP, MinP, TopA, EpsilonCutoff, EtaCutoff, TypicalP, TopNSigma,
                 TailFree, Xtc, DynamicTemperature, Smoothing, MirostatV1, MirostatV2, AdaptiveP,
                 DrawRule, Dry, NoRepeatNgram, BadWords, SequenceBias, Watermark, Guidance>;

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_STAGES_H_

// The words of each stage; describe_stage.h chooses among them.
#ifndef TESSERA_KERNELS_STAGE_WORDS_H_
#define TESSERA_KERNELS_STAGE_WORDS_H_

#include <string>

#include "kernels/describe_stage.h"
#include "kernels/stages/bad_words.h"
#include "kernels/stages/dry.h"
#include "kernels/stages/guidance.h"
#include "kernels/stages/no_repeat_ngram.h"
#include "kernels/stages/sequence_bias.h"
#include "kernels/stages/stages.h"
#include "kernels/stages/watermark.h"

namespace tessera {

// The fewest digits that read back as the same number.
std::string Shown(double value);

// Edits: describe_edits.cc.
StageWords Words(const LogitBias& stage);
StageWords Words(const RepetitionPenalty& stage);
StageWords Words(const FrequencyPenalty& stage);
StageWords Words(const PresencePenalty& stage);
StageWords Words(const Dry& stage);
StageWords Words(const NoRepeatNgram& stage);
StageWords Words(const BadWords& stage);
StageWords Words(const SequenceBias& stage);
StageWords Words(const Watermark& stage);
StageWords Words(const Guidance& stage);

// Truncations: describe_truncations.cc.
StageWords Words(const Greedy& stage);
StageWords Words(const TopK& stage);
StageWords Words(const TopP& stage);
StageWords Words(const MinP& stage);
StageWords Words(const TopA& stage);
StageWords Words(const EpsilonCutoff& stage);
StageWords Words(const EtaCutoff& stage);
StageWords Words(const TypicalP& stage);
StageWords Words(const TopNSigma& stage);
StageWords Words(const TailFree& stage);
StageWords Words(const Xtc& stage);
StageWords Words(const MirostatV1& stage);
StageWords Words(const MirostatV2& stage);

// The rest: describe_stage.cc.
StageWords Words(const Temperature& stage);
StageWords Words(const DynamicTemperature& stage);
StageWords Words(const Smoothing& stage);
StageWords Words(const AdaptiveP& stage);
StageWords Words(const DrawRule& stage);

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGE_WORDS_H_

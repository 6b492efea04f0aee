#include "service/decode_stage.h"

#include "absl/strings/str_cat.h"

namespace tessera {

absl::StatusOr<Stage> DecodeStage(int index, const v1::SamplerStage& stage) {
  const StagePlace place(index, stage.stage_case());
  switch (stage.stage_case()) {
    case v1::SamplerStage::kLogitBias:
      return LogitBias{};
    case v1::SamplerStage::kRepetitionPenalty:
      return Decode(stage.repetition_penalty(), place);
    case v1::SamplerStage::kFrequencyPenalty:
      return Decode(stage.frequency_penalty(), place);
    case v1::SamplerStage::kPresencePenalty:
      return Decode(stage.presence_penalty(), place);
    case v1::SamplerStage::kDry:
      return Decode(stage.dry(), place);
    case v1::SamplerStage::kNoRepeatNgram:
      return Decode(stage.no_repeat_ngram(), place);
    case v1::SamplerStage::kBadWords:
      return Decode(stage.bad_words(), place);
    case v1::SamplerStage::kSequenceBias:
      return Decode(stage.sequence_bias(), place);
    case v1::SamplerStage::kWatermark:
      return Decode(stage.watermark(), place);
    case v1::SamplerStage::kGuidance:
      return Decode(stage.guidance(), place);
    case v1::SamplerStage::kTemperature:
      return Decode(stage.temperature(), place);
    case v1::SamplerStage::kGreedy:
      return Greedy{};
    case v1::SamplerStage::kTopK:
      return Decode(stage.top_k(), place);
    case v1::SamplerStage::kTopP:
      return Decode(stage.top_p(), place);
    case v1::SamplerStage::kMinP:
      return Decode(stage.min_p(), place);
    case v1::SamplerStage::kTopA:
      return Decode(stage.top_a(), place);
    case v1::SamplerStage::kEpsilonCutoff:
      return Decode(stage.epsilon_cutoff(), place);
    case v1::SamplerStage::kEtaCutoff:
      return Decode(stage.eta_cutoff(), place);
    case v1::SamplerStage::kTypicalP:
      return Decode(stage.typical_p(), place);
    case v1::SamplerStage::kTopNSigma:
      return Decode(stage.top_n_sigma(), place);
    case v1::SamplerStage::kTailFree:
      return Decode(stage.tail_free(), place);
    case v1::SamplerStage::kXtc:
      return Decode(stage.xtc(), place);
    case v1::SamplerStage::kDynamicTemperature:
      return Decode(stage.dynamic_temperature(), place);
    case v1::SamplerStage::kSmoothing:
      return Decode(stage.smoothing(), place);
    case v1::SamplerStage::kMirostatV1:
      return Decode(stage.mirostat_v1(), place);
    case v1::SamplerStage::kMirostatV2:
      return Decode(stage.mirostat_v2(), place);
    case v1::SamplerStage::kAdaptiveP:
      return Decode(stage.adaptive_p(), place);
    case v1::SamplerStage::kDrawRule:
      return Decode(stage.draw_rule(), place);
    case v1::SamplerStage::STAGE_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "stages[", index, "] names no stage that this server knows; GetCapabilities lists them"));
}

}  // namespace tessera

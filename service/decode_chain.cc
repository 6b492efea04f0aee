#include "service/decode_chain.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "kernels/chain.h"

namespace tessera {
namespace {

absl::Status Refuse(int stage, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("stages[", stage, "]", what));
}

// A number is required, so that a forgotten one is not read as 0 (chain.proto).
absl::Status Absent(int stage, absl::string_view field) {
  return Refuse(stage, absl::StrCat(".", field, " is absent; it is required"));
}

absl::StatusOr<PenaltyScope> DecodeScope(int stage, absl::string_view field, v1::PenaltyScope scope,
                                         PenaltyScope unspecified) {
  switch (static_cast<int>(scope)) {  // open enum: a newer client may send another number
    case v1::PENALTY_SCOPE_UNSPECIFIED:
      return unspecified;
    case v1::PENALTY_SCOPE_PROMPT_AND_OUTPUT:
      return PenaltyScope::kPromptAndOutput;
    case v1::PENALTY_SCOPE_OUTPUT:
      return PenaltyScope::kOutput;
    case v1::PENALTY_SCOPE_PROMPT:
      return PenaltyScope::kPrompt;
  }
  return Refuse(stage, absl::StrCat(".", field, ".scope is ", static_cast<int>(scope),
                                    "; it must be a PenaltyScope that this server knows"));
}

template <typename Penalty, typename Message>
absl::StatusOr<Stage> DecodePenalty(int stage, absl::string_view field, const Message& message) {
  if (!message.has_penalty()) return Absent(stage, absl::StrCat(field, ".penalty"));
  Penalty penalty;
  absl::StatusOr<PenaltyScope> scope = DecodeScope(stage, field, message.scope(), penalty.scope);
  if (!scope.ok()) return scope.status();
  penalty.penalty = message.penalty();
  penalty.scope = *scope;
  return penalty;
}

absl::StatusOr<Stage> DecodeStage(int index, const v1::SamplerStage& stage) {
  switch (stage.stage_case()) {
    case v1::SamplerStage::kLogitBias:
      return LogitBias{};
    case v1::SamplerStage::kRepetitionPenalty:
      return DecodePenalty<RepetitionPenalty>(index, "repetition_penalty",
                                              stage.repetition_penalty());
    case v1::SamplerStage::kFrequencyPenalty:
      return DecodePenalty<FrequencyPenalty>(index, "frequency_penalty", stage.frequency_penalty());
    case v1::SamplerStage::kPresencePenalty:
      return DecodePenalty<PresencePenalty>(index, "presence_penalty", stage.presence_penalty());
    case v1::SamplerStage::kTemperature:
      if (!stage.temperature().has_t()) return Absent(index, "temperature.t");
      return Temperature{.t = stage.temperature().t()};
    case v1::SamplerStage::kGreedy:
      return Greedy{};
    case v1::SamplerStage::kTopK:
      if (!stage.top_k().has_k()) return Absent(index, "top_k.k");
      return TopK{.k = stage.top_k().k()};
    case v1::SamplerStage::kTopP:
      if (!stage.top_p().has_p()) return Absent(index, "top_p.p");
      return TopP{.p = stage.top_p().p(), .joint = stage.top_p().joint()};
    case v1::SamplerStage::kMinP:
      if (!stage.min_p().has_m()) return Absent(index, "min_p.m");
      return MinP{.m = stage.min_p().m()};
    case v1::SamplerStage::STAGE_NOT_SET:
      break;
  }
  return Refuse(index, " names no stage that this server knows; GetCapabilities lists them");
}

}  // namespace

DecodedChain Compiled(Chain chain) {
  DecodedChain decoded{.plan = CompileChain(chain)};
  for (const Stage& stage : chain.stages) {
    decoded.has_bias_stage |= std::holds_alternative<LogitBias>(stage);
    decoded.has_penalty_stage |= std::holds_alternative<RepetitionPenalty>(stage) ||
                                 std::holds_alternative<FrequencyPenalty>(stage) ||
                                 std::holds_alternative<PresencePenalty>(stage);
  }
  decoded.chain = std::move(chain);
  return decoded;
}

DecodedChain DecodeChain(const v1::SamplerChain& chain) {
  DecodedChain decoded{.plan = absl::InvalidArgumentError("")};
  if (chain.stages_size() > kMaxStages) {
    decoded.plan = absl::InvalidArgumentError(absl::StrCat(
        "stages holds ", chain.stages_size(), " entries; it may hold at most ", kMaxStages));
    return decoded;
  }
  Chain stages;
  for (int i = 0; i < chain.stages_size(); ++i) {
    absl::StatusOr<Stage> stage = DecodeStage(i, chain.stages(i));
    if (!stage.ok()) {
      decoded.plan = stage.status();
      return decoded;
    }
    stages.stages.push_back(*std::move(stage));
  }
  return Compiled(std::move(stages));
}

}  // namespace tessera

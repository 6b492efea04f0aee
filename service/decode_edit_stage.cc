// Stages of edit_stages.proto.
#include "service/decode_stage.h"

namespace tessera {
namespace {

template <typename Penalty, typename Message>
absl::StatusOr<Stage> DecodePenalty(const Message& stage, const StagePlace& place) {
  if (!stage.has_penalty()) return place.Absent("penalty");
  Penalty penalty;
  const absl::StatusOr<PenaltyScope> scope =
      place.Choose("scope", stage.scope(), penalty.scope,
                   {{v1::PENALTY_SCOPE_PROMPT_AND_OUTPUT, PenaltyScope::kPromptAndOutput},
                    {v1::PENALTY_SCOPE_OUTPUT, PenaltyScope::kOutput},
                    {v1::PENALTY_SCOPE_PROMPT, PenaltyScope::kPrompt}});
  if (!scope.ok()) return scope.status();
  penalty.penalty = stage.penalty();
  penalty.scope = *scope;
  return penalty;
}

}  // namespace

absl::StatusOr<Stage> Decode(const v1::RepetitionPenalty& stage, const StagePlace& place) {
  return DecodePenalty<RepetitionPenalty>(stage, place);
}

absl::StatusOr<Stage> Decode(const v1::FrequencyPenalty& stage, const StagePlace& place) {
  return DecodePenalty<FrequencyPenalty>(stage, place);
}

absl::StatusOr<Stage> Decode(const v1::PresencePenalty& stage, const StagePlace& place) {
  return DecodePenalty<PresencePenalty>(stage, place);
}

}  // namespace tessera

#include "kernels/presets/llamacpp_edits.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace tessera {

// Edits change logits, so they cannot follow what has cut the row.
absl::Status LlamaEdits::RefuseAfterCut(absl::string_view what) const {
  return values_.Refuse("samplers", absl::StrCat("it must name ", what,
                                                 " before the truncations, a dynamic or a greedy "
                                                 "temperature: edits come before cuts"));
}

absl::Status LlamaEdits::AddPenalties(bool cut) {
  const RepetitionPenalty repetition{.penalty = values_.Number("repeat_penalty")};
  const FrequencyPenalty frequency{.penalty = values_.Number("frequency_penalty"),
                                   .scope = PenaltyScope::kPromptAndOutput};
  const PresencePenalty presence{.penalty = values_.Number("presence_penalty"),
                                 .scope = PenaltyScope::kPromptAndOutput};
  const int32_t last_n = values_.Integer("repeat_last_n");
  if (last_n == 0) return absl::OkStatus();
  if (!IsOff(repetition) || !IsOff(frequency) || !IsOff(presence)) {
    if (cut) return RefuseAfterCut("penalties");
    penalty_window_ = last_n;
    if (last_n > 0) {
      expanded_.notes.push_back(
          absl::StrCat("the row's history must be the last ", last_n, " tokens"));
    }
  } else if (cut) {
    return absl::OkStatus();
  }
  for (const Stage& stage : {Stage(repetition), Stage(frequency), Stage(presence)}) {
    expanded_.chain.stages.push_back(stage);
  }
  return CheckWindows();
}

absl::Status LlamaEdits::AddDry(bool cut) {
  absl::StatusOr<std::vector<TokenSequence>> breakers =
      ReadSequences(values_.Text("dry_sequence_breakers"));
  if (!breakers.ok()) return values_.Refuse("dry_sequence_breakers", breakers.status().message());
  const int32_t last_n = values_.Integer("dry_penalty_last_n");
  const double base = values_.Number("dry_base");
  if (values_.Number("dry_multiplier") == 0 || base < 1 || last_n == 0) return absl::OkStatus();
  if (cut) return RefuseAfterCut("dry");
  if (!values_.Given("dry_sequence_breakers")) {
    return values_.Refuse("dry_multiplier",
                          "dry_sequence_breakers must be given with it, as token ids, or none: "
                          "the engine's default breakers are texts");
  }
  expanded_.chain.stages.emplace_back(
      Dry{.multiplier = values_.Number("dry_multiplier"),
          .base = base,
          .allowed_length = static_cast<uint32_t>(values_.Integer("dry_allowed_length")),
          .last_n = last_n,
          .breakers = *std::move(breakers)});
  dry_window_ = last_n;
  return CheckWindows();
}

// Penalties and DRY read one history, that of the row.
absl::Status LlamaEdits::CheckWindows() const {
  if (penalty_window_ == 0 || dry_window_ == 0 || penalty_window_ == dry_window_) {
    return absl::OkStatus();
  }
  return values_.Refuse("dry_penalty_last_n",
                        absl::StrCat("it must be ", penalty_window_,
                                     ", as repeat_last_n: penalties and dry read one history"));
}

}  // namespace tessera

// What the stages that edit logits become in a plan.
#ifndef TESSERA_KERNELS_PLAN_EDITS_H_
#define TESSERA_KERNELS_PLAN_EDITS_H_

#include <string>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "kernels/stages/stages.h"
#include "kernels/steps.h"

namespace tessera {

inline Edit EditOf(const LogitBias&) { return {Edit::Kind::kBias, PenaltyScope::kOutput, 0}; }
inline Edit EditOf(const RepetitionPenalty& s) {
  return {Edit::Kind::kRepetition, s.scope, static_cast<float>(s.penalty)};
}
inline Edit EditOf(const FrequencyPenalty& s) {
  return {Edit::Kind::kFrequency, s.scope, static_cast<float>(s.penalty)};
}
inline Edit EditOf(const PresencePenalty& s) {
  return {Edit::Kind::kPresence, s.scope, static_cast<float>(s.penalty)};
}
inline Edit EditOf(const Dry&) { return {Edit::Kind::kAddition, PenaltyScope::kOutput, 0}; }
inline Edit EditOf(const SequenceBias&) {
  return {Edit::Kind::kAddition, PenaltyScope::kOutput, 0};
}
inline Edit EditOf(const Watermark& s) {
  return {Edit::Kind::kGreen, PenaltyScope::kOutput, static_cast<float>(s.delta)};
}
inline Edit EditOf(const Guidance& s) {
  return {Edit::Kind::kGuidance, PenaltyScope::kOutput, static_cast<float>(s.scale)};
}

// Stages that only ban: what they ban is among the row's banned ids, so that they need no edit.
template <class S>
using OnlyBans =
    std::bool_constant<std::is_same_v<S, NoRepeatNgram> || std::is_same_v<S, BadWords>>;

// Notes which of the row's lists an edit reads. Of some a row has only one, or only a few: what is
// wrong with one more, to follow the stage's name; empty if nothing is.
inline std::string UseList(const Edit& edit, Plan* plan) {
  bool* used = nullptr;
  switch (edit.kind) {
    case Edit::Kind::kBias:
      used = &plan->uses_bias;
      break;
    case Edit::Kind::kGreen:
      used = &plan->uses_green;
      break;
    case Edit::Kind::kGuidance:
      used = &plan->uses_guidance;
      break;
    case Edit::Kind::kAddition:
      if (plan->additions < kMaxAdditions) return "";
      return absl::StrCat(" is one too many; a chain may hold ", kMaxAdditions,
                          " stages of dry and sequence_bias together");
    case Edit::Kind::kRepetition:
    case Edit::Kind::kFrequency:
    case Edit::Kind::kPresence:
      plan->uses_counts = true;
      return "";
    case Edit::Kind::kScale:
      return "";
  }
  if (*used) return " is repeated; a chain may hold it once";
  *used = true;
  return "";
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_PLAN_EDITS_H_

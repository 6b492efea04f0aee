// Stages of edit_stages.proto that read a row's history in order, and guidance.
#include <vector>

#include "absl/strings/str_cat.h"
#include "service/decode_stage.h"

namespace tessera {
namespace {

TokenSequence IdsOf(const google::protobuf::RepeatedField<int32_t>& ids) {
  return TokenSequence(ids.begin(), ids.end());
}

std::vector<TokenSequence> SequencesOf(
    const google::protobuf::RepeatedPtrField<v1::TokenSequence>& sequences) {
  std::vector<TokenSequence> out;
  out.reserve(sequences.size());
  for (const v1::TokenSequence& sequence : sequences) out.push_back(IdsOf(sequence.ids()));
  return out;
}

absl::StatusOr<HistoryScope> DecodeScope(v1::PenaltyScope scope, HistoryScope unspecified,
                                         const StagePlace& place) {
  return place.Choose("scope", scope, unspecified,
                      {{v1::PENALTY_SCOPE_PROMPT_AND_OUTPUT, HistoryScope::kPromptAndOutput},
                       {v1::PENALTY_SCOPE_OUTPUT, HistoryScope::kOutput}});
}

}  // namespace

absl::StatusOr<Stage> Decode(const v1::Dry& stage, const StagePlace& place) {
  if (!stage.has_multiplier()) return place.Absent("multiplier");
  Dry dry;
  dry.multiplier = stage.multiplier();
  if (stage.has_base()) dry.base = stage.base();
  if (stage.has_allowed_length()) dry.allowed_length = stage.allowed_length();
  if (stage.has_last_n()) dry.last_n = stage.last_n();
  dry.breakers = SequencesOf(stage.breakers());
  return dry;
}

absl::StatusOr<Stage> Decode(const v1::NoRepeatNgram& stage, const StagePlace& place) {
  if (!stage.has_n()) return place.Absent("n");
  NoRepeatNgram ngram;
  const absl::StatusOr<HistoryScope> scope = DecodeScope(stage.scope(), ngram.scope, place);
  if (!scope.ok()) return scope.status();
  ngram.n = stage.n();
  ngram.scope = *scope;
  return ngram;
}

absl::StatusOr<Stage> Decode(const v1::BadWords& stage, const StagePlace& place) {
  BadWords bad;
  const absl::StatusOr<HistoryScope> scope = DecodeScope(stage.scope(), bad.scope, place);
  if (!scope.ok()) return scope.status();
  bad.words = SequencesOf(stage.words());
  bad.scope = *scope;
  return bad;
}

absl::StatusOr<Stage> Decode(const v1::SequenceBias& stage, const StagePlace& place) {
  SequenceBias biased;
  biased.sequences.reserve(stage.sequences_size());
  for (const v1::BiasedSequence& sequence : stage.sequences()) {
    if (!sequence.has_bias()) {
      return place.Absent(absl::StrCat("sequences[", biased.sequences.size(), "].bias"));
    }
    biased.sequences.push_back({.ids = IdsOf(sequence.ids()), .bias = sequence.bias()});
  }
  return biased;
}

absl::StatusOr<Stage> Decode(const v1::Watermark& stage, const StagePlace& place) {
  if (!stage.has_gamma()) return place.Absent("gamma");
  if (!stage.has_delta()) return place.Absent("delta");
  if (!stage.has_key()) return place.Absent("key");
  return Watermark{.gamma = stage.gamma(),
                   .delta = stage.delta(),
                   .key = stage.key(),
                   .context_width = stage.has_context_width() ? stage.context_width() : 1};
}

absl::StatusOr<Stage> Decode(const v1::Guidance& stage, const StagePlace& place) {
  if (!stage.has_scale()) return place.Absent("scale");
  return Guidance{.scale = stage.scale()};
}

}  // namespace tessera

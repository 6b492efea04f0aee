#include "service/explain_preset.h"

namespace tessera {
namespace {

const char* FidelityWords(Fidelity fidelity) {
  switch (fidelity) {
    case Fidelity::kLaw:
      return "law: the same kept set and probabilities as the engine's";
    case Fidelity::kTokens:
      return "tokens: also the same token for the engine's own seed and position";
  }
  return "";
}

const char* ModeWords(LogprobMode mode) {
  switch (mode) {
    case LogprobMode::kRaw:
      return "raw: of the logits as received";
    case LogprobMode::kRawMasked:
      return "raw_masked: of the logits as received, under the grammar";
    case LogprobMode::kTempered:
      return "tempered: after edits and temperature, before truncation";
    case LogprobMode::kProcessed:
      return "processed: of the law that tokens are drawn from";
  }
  return "";
}

const char* RankWords(RankRule rule) {
  switch (rule) {
    case RankRule::kNone:
      return "reports no rank";
    case RankRule::kLargerPlusOne:
      return "1 + the number of likelier tokens";
    case RankRule::kAtLeast:
      return "the number of tokens at least as likely: ties count against a token";
  }
  return "";
}

}  // namespace

v1::PresetExplanation ExplainPreset(const ExpandedPreset& preset) {
  const PresetDescription& description = *preset.description;
  v1::PresetExplanation out;
  out.set_name(description.name);
  out.set_follows(description.follows);
  out.set_fidelity(FidelityWords(description.fidelity));
  out.set_logprob_mode(ModeWords(description.logprobs));
  out.set_rank_rule(RankWords(description.rank));
  out.set_order(description.order);
  out.set_tie_rule(description.ties);
  out.set_boundary_rule(description.boundary);
  out.set_nucleus_base(description.base);
  out.set_penalty_scope(description.penalties);
  out.set_greedy_when(description.greedy_when);
  out.set_disabled_values(description.disabled);
  out.set_draw(description.draw);
  out.set_greedy(preset.greedy);
  for (const std::string& note : preset.notes) out.add_notes(note);
  return out;
}

}  // namespace tessera

// The words of the stages that change logits.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/stage_words.h"

namespace tessera {
namespace {

const char* ScopeWords(PenaltyScope scope) {
  switch (scope) {
    case PenaltyScope::kPromptAndOutput:
      return "the prompt and the output";
    case PenaltyScope::kOutput:
      return "the output";
    case PenaltyScope::kPrompt:
      return "the prompt";
  }
  return "";
}

const char* ScopeWords(HistoryScope scope) {
  return scope == HistoryScope::kOutput ? "the output" : "the prompt and the output";
}

StageWords EditWords(std::string rule) {
  return {.rule = std::move(rule), .effect = StageEffect::kEdit};
}

}  // namespace

StageWords Words(const LogitBias&) {
  return EditWords("logit bias: adds the row's own value to each id it names");
}

StageWords Words(const RepetitionPenalty& s) {
  return EditWords(absl::StrCat(
      "repetition penalty ", Shown(s.penalty), ": divides positive logits by ", Shown(s.penalty),
      " and multiplies the others, for each token of ", ScopeWords(s.scope)));
}

StageWords Words(const FrequencyPenalty& s) {
  return EditWords(absl::StrCat("frequency penalty ", Shown(s.penalty), ": subtracts ",
                                Shown(s.penalty), " for each time a token stands in ",
                                ScopeWords(s.scope)));
}

StageWords Words(const PresencePenalty& s) {
  return EditWords(absl::StrCat("presence penalty ", Shown(s.penalty), ": subtracts ",
                                Shown(s.penalty), " once for each token of ", ScopeWords(s.scope)));
}

StageWords Words(const Dry& s) {
  std::string window =
      s.last_n < 0 ? "the history" : absl::StrCat("the last ", s.last_n, " tokens");
  return EditWords(absl::StrCat(
      "dry ", Shown(s.multiplier), ": what would go on with a repetition of ", s.allowed_length,
      " tokens or more in ", window, " loses ", Shown(s.multiplier), " * ", Shown(s.base),
      "^(its length - ", s.allowed_length, "); ", s.breakers.size(), " breakers"));
}

StageWords Words(const NoRepeatNgram& s) {
  return EditWords(absl::StrCat("no repeated ", s.n, "-gram: bans what would complete one that ",
                                "stands in ", ScopeWords(s.scope)));
}

StageWords Words(const BadWords& s) {
  return EditWords(absl::StrCat("bad words: bans the last token of ", s.words.size(),
                                " words where ", ScopeWords(s.scope),
                                " ends in the tokens before it"));
}

StageWords Words(const SequenceBias& s) {
  return EditWords(absl::StrCat("sequence bias: adds to the last token of ", s.sequences.size(),
                                " sequences where the history ends in the tokens "
                                "before it"));
}

StageWords Words(const Watermark& s) {
  return EditWords(absl::StrCat("watermark: adds ", Shown(s.delta), " to a green list of ",
                                Shown(s.gamma), " of the vocabulary, chosen by the last ",
                                s.context_width, " tokens and a key"));
}

StageWords Words(const Guidance& s) {
  return EditWords(absl::StrCat("guidance ", Shown(s.scale), ": moves each logit y to u + ",
                                Shown(s.scale), " * (y - u), u from the guidance row"));
}

}  // namespace tessera

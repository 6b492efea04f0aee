#include "kernels/stage_names.h"

#include <variant>

#include "absl/strings/str_cat.h"

namespace tessera {

const char* NameOf(const Stage& stage) {
  struct Namer {
    const char* operator()(const LogitBias&) { return "logit_bias"; }
    const char* operator()(const RepetitionPenalty&) { return "repetition_penalty"; }
    const char* operator()(const FrequencyPenalty&) { return "frequency_penalty"; }
    const char* operator()(const PresencePenalty&) { return "presence_penalty"; }
    const char* operator()(const Temperature&) { return "temperature"; }
    const char* operator()(const Greedy&) { return "greedy"; }
    const char* operator()(const TopK&) { return "top_k"; }
    const char* operator()(const TopP&) { return "top_p"; }
    const char* operator()(const MinP&) { return "min_p"; }
    const char* operator()(const TopA&) { return "top_a"; }
    const char* operator()(const EpsilonCutoff&) { return "epsilon_cutoff"; }
    const char* operator()(const EtaCutoff&) { return "eta_cutoff"; }
    const char* operator()(const TypicalP&) { return "typical_p"; }
    const char* operator()(const TopNSigma&) { return "top_n_sigma"; }
    const char* operator()(const TailFree&) { return "tail_free"; }
    const char* operator()(const Xtc&) { return "xtc"; }
    const char* operator()(const DynamicTemperature&) { return "dynamic_temperature"; }
    const char* operator()(const Smoothing&) { return "smoothing"; }
    const char* operator()(const MirostatV1&) { return "mirostat_v1"; }
    const char* operator()(const MirostatV2&) { return "mirostat_v2"; }
    const char* operator()(const AdaptiveP&) { return "adaptive_p"; }
    const char* operator()(const DrawRule&) { return "draw_rule"; }
    const char* operator()(const Dry&) { return "dry"; }
    const char* operator()(const NoRepeatNgram&) { return "no_repeat_ngram"; }
    const char* operator()(const BadWords&) { return "bad_words"; }
    const char* operator()(const SequenceBias&) { return "sequence_bias"; }
    const char* operator()(const Watermark&) { return "watermark"; }
    const char* operator()(const Guidance&) { return "guidance"; }
  };
  return std::visit(Namer{}, stage);
}

std::string Described(const Refusal& refusal) {
  std::string text = refusal.field;
  if (refusal.index >= 0) absl::StrAppend(&text, "[", refusal.index, "]");
  if (refusal.part != nullptr) absl::StrAppend(&text, " (", refusal.part, ")");
  absl::StrAppend(&text, " is ", refusal.value, "; it must be ", refusal.accepted);
  return text;
}

}  // namespace tessera

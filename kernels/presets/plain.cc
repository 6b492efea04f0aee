// Presets that follow no implementation's source: what OpenAI's API documents, the sorted
// prefix that everyone writes in numpy, and Tessera's own order.
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

void Finish(double t, ExpandedPreset* expanded) {
  expanded->greedy = t == 0;
  if (t == 0) expanded->notes.emplace_back("temperature 0 is greedy");
}

absl::Status ExpandOpenAi(const PresetValues& values, ExpandedPreset* expanded) {
  expanded->chain.stages = {
      LogitBias{},
      FrequencyPenalty{.penalty = values.Number("frequency_penalty")},
      PresencePenalty{.penalty = values.Number("presence_penalty")},
      Temperature{values.Number("temperature")},
      TopP{.p = values.Number("top_p")},
  };
  expanded->notes.emplace_back(
      "ties, boundary and temperature 0 are not documented: Tessera's own");
  Finish(values.Number("temperature"), expanded);
  return absl::OkStatus();
}

Preset OpenAi() {
  PresetDescription d{
      .name = "openai",
      .follows = "OpenAI's API reference; what it leaves open is Tessera's own",
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kRaw,
      .rank = RankRule::kNone,
      .order = "bias, frequency, presence, temperature, top-p",
      .ties = "it has no top-k",
      .boundary = "not documented; here the smallest prefix that reaches P, lower id first",
      .base = "top-p reads the tempered row",
      .penalties = "frequency, then presence, on the output",
      .greedy_when = "temperature 0",
      .disabled = "temperature 1; top_p 1; penalties 0",
      .draw = "not documented; here Tessera's own",
  };
  d.parameters = {
      Number("temperature", 1, In(0, 2), "divides logits; 0 is greedy"),
      Number("top_p", 1, In(0, 1), "nucleus; 1 is off, 0 keeps one token"),
      Number("frequency_penalty", 0, In(-2, 2), "times the count in the output; 0 is off"),
      Number("presence_penalty", 0, In(-2, 2), "once for ids in the output; 0 is off"),
      OfRow("n", "SampleRow.samples"),
      OfRow("seed", "SampleRow.seed"),
      OfRow("logit_bias", "SampleRow.bias; this API takes values in [-100, 100]"),
      OfRow("logprobs", "SampleRow.logprobs"),
      OfRow("top_logprobs", "SampleRow.logprobs.top_n"),
  };
  return {std::move(d), ExpandOpenAi};
}

absl::Status ExpandNumpy(const PresetValues& values, ExpandedPreset* expanded) {
  expanded->chain.stages = {
      Temperature{values.Number("temperature")},
      TopK{.k = values.Integer("top_k")},
      TopP{.p = values.Number("top_p")},
  };
  Finish(values.Number("temperature"), expanded);
  return absl::OkStatus();
}

Preset NumpyDescending() {
  PresetDescription d{
      .name = "numpy-descending",
      .follows =
          "a stable descending sort in numpy: a token stays while the mass before it is "
          "below P",
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kProcessed,
      .rank = RankRule::kLargerPlusOne,
      .order = "temperature, top-k, top-p",
      .ties = "exactly k, lower id first",
      .boundary = "the smallest prefix that reaches P, lower id first",
      .base = "sequential: top-p reads what top-k left",
      .penalties = "none",
      .greedy_when = "temperature 0",
      .disabled = "temperature 1; top_k 0; top_p 1",
      .draw = "Tessera's own",
  };
  d.parameters = {
      Number("temperature", 1, Or(0, In(kMinTemperature, kMaxTemperature)), "0 is greedy"),
      Integer("top_k", 0, AtLeast(0), "keeps the k likeliest; 0 is off"),
      Number("top_p", 1, In(0, 1), "nucleus; 1 is off, 0 keeps one token"),
      OfRow("seed", "SampleRow.seed"),
  };
  return {std::move(d), ExpandNumpy};
}

}  // namespace

std::vector<Preset> PlainPresets() { return {OpenAi(), NumpyDescending()}; }

}  // namespace tessera

// ExLlamaV3: its combined sampler, with the fused tail.
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

std::vector<PresetParameter> Parameters() {
  return {
      Number("temperature", 1, In(0, kMaxTemperature), "divides logits; 0 is greedy"),
      Switch("temp_last", false, "the temperature comes after the truncations"),
      Number("min_p", 0, In(0, 1), "share of the likeliest token's probability; 0 is off"),
      Integer("top_k", 0, AtLeast(0), "keeps the k likeliest and their ties; 0 is off, 1 greedy"),
      Number("top_p", 1, In(0, 1), "largest mass kept; 1 is off, 0 greedy"),
      Number("rep_p", 1, Above(0), "repetition penalty on the history; 1 is off"),
      Number("pres_p", 0, Finite(), "presence penalty on the history; 0 is off"),
      Number("freq_p", 0, Finite(), "frequency penalty on the history; 0 is off"),
      Integer("rep_sustain_range", 100000000, AtLeast(0), "tokens of history that count"),
      Number("adaptive_target", 1, In(0, 1), "adaptive-p: probability aimed at; 1 is off"),
      Number("adaptive_decay", 0.9, In(0, 0.99), "adaptive-p: weight of the past"),
      Fixed("rep_decay_range", 0.0,
            "penalties would fade with distance; a row's history holds counts"),
      Fixed(
          "xtc_probability", 0.0,
          "its step scales the excluded tokens by the chance that they stay; the stage xtc tosses "
          "one coin and can stand in an explicit chain"),
      OfRow("xtc_threshold", "left out: it belongs to xtc_probability"),
      OfRow("logit_bias", "SampleRow.bias; the engine skips 0, NaN and +inf entries"),
      OfRow("rand_u32", "SampleRow.seed"),
      OfRow("blocked_tokens", "SampleRow.banned_ids"),
      OfRow("allowed_tokens", "SampleRow.allowed"),
  };
}

void AddEdits(const PresetValues& values, ExpandedPreset* expanded) {
  constexpr PenaltyScope kAll = PenaltyScope::kPromptAndOutput;
  std::vector<Stage>& stages = expanded->chain.stages;
  stages.emplace_back(LogitBias{});
  if (values.Integer("rep_sustain_range") == 0) return;
  stages.emplace_back(RepetitionPenalty{.penalty = values.Number("rep_p")});
  stages.emplace_back(PresencePenalty{.penalty = values.Number("pres_p"), .scope = kAll});
  stages.emplace_back(FrequencyPenalty{.penalty = values.Number("freq_p"), .scope = kAll});
  if (values.Given("rep_sustain_range")) {
    expanded->notes.emplace_back("the row's history must be the last rep_sustain_range tokens");
  }
}

absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  AddEdits(values, expanded);
  const double t = values.Number("temperature");
  const double target = values.Number("adaptive_target");
  if (t == 0 || values.Integer("top_k") == 1 || values.Number("top_p") == 0) {
    stages.emplace_back(Greedy{});
    expanded->greedy = true;
    expanded->notes.emplace_back("greedy: temperature 0, top_k 1 or top_p 0");
    return absl::OkStatus();
  }
  const bool last = values.Switch("temp_last");
  if (!last) stages.emplace_back(Temperature{t});
  stages.emplace_back(MinP{values.Number("min_p")});
  stages.emplace_back(TopK{.k = values.Integer("top_k"), .ties = Ties::kWhole});
  stages.emplace_back(
      TopP{.p = values.Number("top_p"), .boundary = Boundary::kWithin, .ties = Ties::kWhole});
  if (values.Number("top_p") < 1) {
    expanded->notes.emplace_back(
        "top_p drops the token that crosses it, as ExLlamaV3 1.4.1 does; 1.6.5 keeps that token");
  }
  if (last) stages.emplace_back(Temperature{t});
  if (target != 1) {
    stages.emplace_back(AdaptiveP{.target = target, .decay = values.Number("adaptive_decay")});
    expanded->notes.emplace_back("adaptive-p's state travels in the row and back");
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<Preset> ExLlamaV3Presets() {
  PresetDescription d{
      .name = "exllamav3",
      .follows =
          "ExLlamaV3 1.4.1, its ComboSampler with the fused tail (1.6.5 has another top-p); its "
          "DefaultSampler is temperature 0.8, min_p 0.08, temp_last",
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kProcessed,
      .rank = RankRule::kNone,
      .order =
          "bias, repetition, presence, frequency, temperature, min-p, top-k, top-p, temperature "
          "(temp_last), adaptive-p",
      .ties = "every token tied with the k-th stays",
      .boundary =
          "the largest prefix within P, whole tie groups; never empty (1.6.5: the smallest that "
          "reaches P)",
      .base = "sequential: top-p reads what top-k left",
      .penalties = "repetition, presence, frequency on the history of prompt and output",
      .greedy_when = "temperature 0, top_k 1 or top_p 0",
      .disabled = "top_k 0; top_p 1; min_p 0; rep_p 1; pres_p and freq_p 0; adaptive_target 1",
      .draw =
          "a Gumbel race by Philox of (rand_u32, id or rank), in the device's fast logarithm, in "
          "float16 where nothing else is set; no draw from sums, so here Tessera's own draw",
      .parameters = Parameters(),
  };
  return {{std::move(d), Expand}};
}

}  // namespace tessera

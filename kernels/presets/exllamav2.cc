// ExLlamaV2. Its top-p is no prefix of the order, so it is refused where it acts.
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

std::vector<PresetParameter> Offered() {
  return {
      Number("temperature", 0.8, In(0, kMaxTemperature), "divides logits; below 0.01 greedy"),
      Switch("temperature_last", false, "the temperature comes after the truncations"),
      Number("smoothing_factor", 0, In(0, 0x1p20), "quadratic smoothing; 0 is off"),
      Number("min_temp", 0, In(0, 0x1p20), "least dynamic temperature"),
      Number("max_temp", 0, In(0, 0x1p20), "most; dynamic where it is above min_temp"),
      Number("temp_exponent", 1, Above(0, 64), "of the dynamic temperature"),
      Integer("top_k", 50, AtLeast(0), "keeps the k likeliest; 0 is off"),
      Number("top_p", 0.8, In(0, 1), "only 0 and 1, which are off, unless one token is left"),
      Number("top_a", 0, In(0, 1), "times the likeliest's probability squared; 0 is off"),
      Number("min_p", 0, In(0, 1), "share of the likeliest's probability; 0 and 1 are off"),
      Number("tfs", 0, In(0, 1), "tail free; 0 and 1 are off; needs a top_k of at most 1024"),
      Switch("mirostat", false, "keeps tokens by their surprisal"),
      Number("mirostat_tau", 1.5, Above(0, 64), "target surprisal in bits"),
      Number("mirostat_eta", 0.1, In(0, 1024), "learning rate"),
      Number("token_repetition_penalty", 1.025, Above(0), "on ids of the history; 1 is off"),
      Integer("token_repetition_range", -1, AtLeast(-1), "tokens of history; -1 is all, 0 none"),
      Number("token_frequency_penalty", 0, Finite(), "times the count; 0 is off"),
      Number("token_presence_penalty", 0, Finite(), "once for ids of the history; 0 is off"),
      Number("cfg_scale", 1, Finite(), "classifier-free guidance; 1 is off"),
  };
}

std::vector<PresetParameter> Parameters() {
  std::vector<PresetParameter> all = Offered();
  for (PresetParameter& refused : std::vector<PresetParameter>{
           Fixed("typical", 0.0,
                 "it measures p + ln p where the published rule measures ln p, "
                 "which is no interval of the order"),
           Fixed("xtc_probability", 0.0,
                 "it tests the next token's probability and compares an "
                 "index with one: the law depends on the list's layout"),
           Fixed("skew", 0.0, "it bends the random number, which changes the law by the list"),
           Fixed("dry_multiplier", 0.0, "its penalty is multiplied by the count of occurrences"),
           Fixed("token_repetition_decay", 0.0,
                 "penalties would fade with distance; a row's history holds counts"),
           OfRow("xtc_threshold", "left out: it belongs to xtc_probability"),
           OfRow("mirostat_mu", "SampleRow.state"),
           OfRow("token_bias", "SampleRow.bias"),
           OfRow("filters", "SampleRow.grammar_row"),
           OfRow("random", "SampleRow.seed"),
       }) {
    all.push_back(std::move(refused));
  }
  return all;
}

void AddEdits(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  stages.emplace_back(Guidance{values.Number("cfg_scale")});
  if (values.Integer("token_repetition_range") != 0) {
    constexpr PenaltyScope kAll = PenaltyScope::kPromptAndOutput;
    stages.emplace_back(RepetitionPenalty{.penalty = values.Number("token_repetition_penalty")});
    stages.emplace_back(
        PresencePenalty{.penalty = values.Number("token_presence_penalty"), .scope = kAll});
    stages.emplace_back(
        FrequencyPenalty{.penalty = values.Number("token_frequency_penalty"), .scope = kAll});
  }
  if (values.Integer("token_repetition_range") > 0) {
    expanded->notes.emplace_back(
        "the row's history must be the last token_repetition_range tokens");
  }
  stages.emplace_back(LogitBias{});
}

bool IsDynamic(const PresetValues& values) {
  return values.Number("max_temp") > values.Number("min_temp");
}

absl::Status CheckTogether(const PresetValues& values) {
  const double p = values.Number("top_p");
  if (p > 0 && p < 1) {
    return values.Refuse(
        "top_p",
        "it must be 0 or 1 (off): in between, the engine skips a token that would exceed top_p and "
        "goes on with smaller ones, so what it keeps is no prefix of the order");
  }
  const bool last = values.Switch("temperature_last");
  if (last && values.Number("temperature") < 0.01) {
    return values.Refuse("temperature", "it must be at least 0.01 with temperature_last");
  }
  if (values.Switch("mirostat") && (last || IsDynamic(values))) {
    return values.Refuse("mirostat",
                         "it must be false with temperature_last or a dynamic temperature: its "
                         "surprisal is that of the law drawn from, so nothing may follow it");
  }
  const double z = values.Number("tfs");
  const int32_t k = values.Integer("top_k");
  if (z > 0 && z < 1 && (k == 0 || k > static_cast<int32_t>(kMaxTailFree))) {
    return values.Refuse("tfs", "with it top_k must be in [1, 1024]: it works on sorted tokens");
  }
  return absl::OkStatus();
}

void AddTruncations(const PresetValues& values, std::vector<Stage>* stages) {
  const double m = values.Number("min_p");
  const double z = values.Number("tfs");
  stages->push_back(TopK{.k = values.Integer("top_k")});
  stages->push_back(TopA{values.Number("top_a")});
  stages->push_back(MinP{m < 1 ? m : 0});
  stages->push_back(TailFree{z > 0 ? z : 1});
  if (values.Switch("mirostat")) {
    stages->push_back(
        MirostatV2{.tau = values.Number("mirostat_tau"), .eta = values.Number("mirostat_eta")});
  }
}

absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  AddEdits(values, expanded);
  const bool last = values.Switch("temperature_last");
  const double t = values.Number("temperature");
  if ((t < 0.01 && !last) || (values.Integer("top_k") == 1 && !values.Switch("mirostat"))) {
    stages.emplace_back(Greedy{});
    expanded->greedy = true;
    expanded->notes.emplace_back("one token is left: temperature is below 0.01, or top_k is 1");
    return absl::OkStatus();
  }
  if (absl::Status status = CheckTogether(values); !status.ok()) return status;
  stages.emplace_back(Smoothing{values.Number("smoothing_factor")});
  if (!last) stages.emplace_back(Temperature{t});
  AddTruncations(values, &stages);
  if (IsDynamic(values)) {
    stages.emplace_back(DynamicTemperature{.low = values.Number("min_temp"),
                                           .high = values.Number("max_temp"),
                                           .exponent = values.Number("temp_exponent")});
  } else if (last) {
    stages.emplace_back(Temperature{t});
  }
  expanded->notes.emplace_back(
      "of tokens tied with the k-th, the engine's heap keeps others than those of lower id");
  if (values.Switch("mirostat")) {
    expanded->notes.emplace_back(
        "where even the likeliest token exceeds mu, all that are tied with it stay; the engine "
        "keeps one");
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<Preset> ExLlamaV2Presets() {
  PresetDescription d{
      .name = "exllamav2",
      .follows = "ExLlamaV2's generator and C++ sampler",
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kProcessed,
      .rank = RankRule::kNone,
      .order =
          "guidance, repetition, presence, frequency, bias, smoothing, temperature, top-k, top-a, "
          "min-p, tail free, mirostat, dynamic temperature or temperature_last",
      .ties =
          "exactly k, lower id first; the engine keeps others of the tied ones (a heap of pairs)",
      .boundary = "not offered: what it keeps is no prefix of the order",
      .base = "sequential: every stage renormalises",
      .penalties = "repetition, presence, frequency on the history, bias after them",
      .greedy_when = "temperature below 0.01",
      .disabled = "top_k 0; top_p 0 and 1; min_p 0 and 1; tfs 0 and 1; top_a 0; repetition 1",
      .draw =
          "the first of the sorted list whose running sum reaches 0.9998 u, which takes up to 2e-4 "
          "of probability from the list's end; here Tessera's own draw, which does not",
      .parameters = Parameters(),
  };
  return {{std::move(d), Expand}};
}

}  // namespace tessera

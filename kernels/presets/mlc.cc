// MLC-LLM: its CPU sampler, and the renormalisation that it uses before verifying drafts.
#include <algorithm>
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

constexpr double kSlack = 1e-5;  // the engine's, in temperature and in mass

std::vector<PresetParameter> Parameters() {
  return {
      Number("temperature", 1, In(0, kMaxTemperature), "divides logits; at most 1e-5 is greedy"),
      Number("top_p", 1, In(0, 1), "nucleus; 1 is off, 0 greedy"),
      Number("presence_penalty", 0, In(-2, 2), "once for ids in the output; 0 is off"),
      Number("frequency_penalty", 0, In(-2, 2), "times the count in the output; 0 is off"),
      Number("repetition_penalty", 1, Above(0), "on ids of the output; 1 is off"),
      OfRow("n", "SampleRow.samples"),
      OfRow("seed", "SampleRow.seed"),
      OfRow("logit_bias", "SampleRow.bias; this API takes values in [-100, 100]"),
      OfRow("logprobs", "SampleRow.logprobs"),
      OfRow("top_logprobs", "SampleRow.logprobs.top_n"),
  };
}

// True where the row is greedy.
bool AddUpToTemperature(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  stages.emplace_back(LogitBias{});
  stages.emplace_back(PresencePenalty{.penalty = values.Number("presence_penalty")});
  stages.emplace_back(FrequencyPenalty{.penalty = values.Number("frequency_penalty")});
  stages.emplace_back(RepetitionPenalty{.penalty = values.Number("repetition_penalty"),
                                        .scope = PenaltyScope::kOutput});
  const double t = values.Number("temperature");
  expanded->greedy = t <= kSlack || values.Number("top_p") == 0;
  if (expanded->greedy) {
    stages.emplace_back(Greedy{});
    expanded->notes.emplace_back("greedy: temperature is at most 1e-5, or top_p is 0");
  } else {
    stages.emplace_back(Temperature{t});
  }
  return expanded->greedy;
}

absl::Status ExpandCpu(const PresetValues& values, ExpandedPreset* expanded) {
  if (AddUpToTemperature(values, expanded)) return absl::OkStatus();
  if (values.Number("top_p") < 1 - kSlack) {
    return values.Refuse(
        "top_p",
        "it must be 0, or at least 1 - 1e-5: in between, a shortcut of the engine's CPU sampler "
        "gives the likeliest token p_0 / top_p where renormalising gives less, which is the law of "
        "no truncation. mlc-renorm offers the nucleus without it");
  }
  expanded->chain.stages.emplace_back(DrawRule{.generator = Generator::kMt19937});
  expanded->notes.emplace_back(
      "the row's seed is the generator's, its position the number of draws made from it before");
  return absl::OkStatus();
}

absl::Status ExpandRenorm(const PresetValues& values, ExpandedPreset* expanded) {
  if (AddUpToTemperature(values, expanded)) return absl::OkStatus();
  const double p = values.Number("top_p");
  const bool off = p >= 1 - kSlack;
  expanded->chain.stages.emplace_back(
      TopP{.p = off ? 1 : std::max(p - kSlack, 0.0), .ties = Ties::kWhole});
  if (!off) expanded->notes.emplace_back("the nucleus ends where the mass reaches top_p - 1e-5");
  return absl::OkStatus();
}

PresetDescription Common() {
  return {
      .logprobs = LogprobMode::kTempered,
      .rank = RankRule::kNone,
      .order = "bias, presence, frequency, repetition, temperature, top-p",
      .ties = "it has no top-k",
      .base = "sequential: top-p reads the tempered row",
      .penalties = "presence and frequency before repetition, all on the output",
      .greedy_when = "temperature at most 1e-5, or top_p 0",
      .disabled = "top_p 1 - 1e-5 and above; repetition 1; presence and frequency 0",
      .parameters = Parameters(),
  };
}

}  // namespace

std::vector<Preset> MlcPresets() {
  PresetDescription cpu = Common();
  cpu.name = "mlc-cpu";
  cpu.follows = "MLC-LLM, CPU sampler";
  cpu.fidelity = Fidelity::kTokens;
  cpu.boundary = "not offered: a shortcut over-weights the likeliest token";
  cpu.draw = "in the order of ids, by std::mt19937 of the seed";
  PresetDescription renorm = Common();
  renorm.name = "mlc-renorm";
  renorm.follows = "MLC-LLM, renormalisation by top-p";
  renorm.boundary =
      "the smallest prefix that reaches P - 1e-5, with every token tied with its last";
  renorm.draw = "Tessera's own";
  return {{std::move(cpu), ExpandCpu}, {std::move(renorm), ExpandRenorm}};
}

}  // namespace tessera

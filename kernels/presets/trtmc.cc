// trtmc: a sorted list of candidates, and xorshift64.
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

std::vector<PresetParameter> Parameters() {
  return {
      Number("temperature", 1, AtMost(kMaxTemperature), "divides logits; 0 and below is greedy"),
      Number("top_p", 1, Finite(), "nucleus; 1 and above is off, 0 and below greedy"),
      Number("min_p", 0, In(0, 1), "share of the likeliest candidate's probability; 0 is off"),
      Integer("top_k", 1, Finite(),
              "candidates; 0 and below: all; 1 too where top_p is inside (0, 1)"),
      OfRow("seed",
            "SampleRow.seed; the engine's -1 is 42, and the generator's state then travels "
            "in the row and back"),
  };
}

bool IsDefault(const PresetValues& values) {
  return values.Number("temperature") == 1 && values.Number("top_p") == 1 &&
         values.Number("min_p") == 0 && values.Integer("top_k") == 1;
}

absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  const double t = values.Number("temperature");
  const double p = values.Number("top_p");
  const int32_t k = values.Integer("top_k");
  if (t <= 0 || p <= 0 || IsDefault(values)) {
    stages.emplace_back(Greedy{});
    expanded->greedy = true;
    expanded->notes.emplace_back(
        "greedy: every parameter is default, or temperature or top_p is 0 or below");
    return absl::OkStatus();
  }
  const bool everything = k <= 0 || (k == 1 && p < 1);
  stages.emplace_back(TopK{.k = everything ? 0 : k});
  stages.emplace_back(Temperature{t});
  stages.emplace_back(TopP{.p = p < 1 ? p : 1});
  stages.emplace_back(MinP{values.Number("min_p")});
  stages.emplace_back(DrawRule{.order = DrawOrder::kSorted, .generator = Generator::kXorshift64});
  expanded->notes.emplace_back(
      "the nucleus's mass is a share of all candidates, before min_p drops any: both keep a "
      "prefix, "
      "so min_p stands after it here");
  if (p > 1) expanded->notes.emplace_back("top_p above 1 is off");
  return absl::OkStatus();
}

}  // namespace

std::vector<Preset> TrtMcPresets() {
  PresetDescription d{
      .name = "trtmc",
      .follows = "trtmc's sampler, as specified",
      .fidelity = Fidelity::kTokens,
      .logprobs = LogprobMode::kProcessed,
      .rank = RankRule::kNone,
      .order = "top-k, temperature, top-p, min-p",
      .ties = "exactly k, lower id first",
      .boundary = "the smallest prefix that reaches P, lower id first",
      .base = "sequential: top-p reads the candidates",
      .penalties = "none",
      .greedy_when = "every parameter is default, or temperature or top_p is 0 or below",
      .disabled = "temperature 1; top_k 0 and below; top_p 1 and above; min_p 0",
      .draw =
          "through the sorted candidates, by xorshift64: the smallest prefix whose share exceeds "
          "word / 2^64",
      .parameters = Parameters(),
  };
  return {{std::move(d), Expand}};
}

}  // namespace tessera

// Text Generation Inference.
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/one_minus.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

std::vector<PresetParameter> Parameters() {
  return {
      Switch("do_sample", false, "draws; so does any temperature, top_k, top_p or typical_p"),
      Number("temperature", 1, In(kMinTemperature, kMaxTemperature), "divides logits"),
      Integer("top_k", 0, AtLeast(0), "keeps the k likeliest and their ties; 0 is as if left out"),
      Number("top_p", 1, Above(0, 1), "nucleus; 1 is as if left out"),
      Number("typical_p", 1, Above(0, 1), "mass nearest to the entropy; 1 is as if left out"),
      Number("repetition_penalty", 1, Above(0), "on ids of prompt and output; 1 is off"),
      Fixed("frequency_penalty", 0.0,
            "the engine takes count over length, prompt and padding included, and another formula "
            "for single requests; neither is a stage"),
      Fixed("watermark", 0.0, "its green list is a permutation by torch's generator"),
      OfRow("seed", "SampleRow.seed"),
      OfRow("best_of", "SampleRow.samples"),
      OfRow("grammar", "SampleRow.grammar_row"),
      OfRow("top_n_tokens", "SampleRow.logprobs.top_n"),
      OfRow("presence_penalty", "left out: the chat API sends repetition_penalty = it + 2"),
  };
}

absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  const double t = values.Number("temperature");
  const double p = values.Number("top_p");
  stages.emplace_back(RepetitionPenalty{.penalty = values.Number("repetition_penalty")});
  expanded->notes.emplace_back(
      "the engine penalises id 0 in rows that are padded in their batch; here padding is skipped");
  if (!values.Switch("do_sample") && t == 1 && values.Integer("top_k") == 0 && p == 1 &&
      values.Number("typical_p") == 1) {
    stages.emplace_back(Greedy{});
    expanded->greedy = true;
    expanded->notes.emplace_back("greedy: do_sample is false and no warper is set (the default)");
    return absl::OkStatus();
  }
  stages.emplace_back(Temperature{t});
  stages.emplace_back(TopK{.k = values.Integer("top_k"), .ties = Ties::kWhole});
  stages.emplace_back(TopP{.p = p < 1 ? ShareByFloatComplement(p) : 1});
  stages.emplace_back(TypicalP{.p = values.Number("typical_p")});
  if (p < 1) {
    expanded->notes.emplace_back(
        "top_p is the share that 1 - top_p in binary32 leaves, as the engine computes it; which of "
        "the tokens tied at its end stay, the engine leaves open: here those of lower id");
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<Preset> TgiPresets() {
  PresetDescription d{
      .name = "tgi",
      .follows = "text-generation-inference, the /generate API",
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kProcessed,
      .rank = RankRule::kNone,
      .order = "repetition, temperature, top-k, top-p, typical-p",
      .ties =
          "every token tied with the k-th stays; a k above the vocabulary, which the engine "
          "reads out of range, is no filter",
      .boundary =
          "the smallest prefix that reaches P, by 1 - P in binary32; ties split, lower id "
          "first",
      .base = "sequential: each warper reads what the one before it left",
      .penalties = "repetition on prompt and output",
      .greedy_when =
          "do_sample is false and no temperature, top_k, top_p or typical_p is set; "
          "temperature 0 is refused (the chat API turns it into greedy)",
      .disabled =
          "temperature 1; top_k 0, top_p 1 and typical_p 1, which the engine's chooser reads as "
          "off and its API knows only as left out; repetition 1",
      .draw = "a race of exponentials from torch's generator; here Tessera's own draw",
      .parameters = Parameters(),
  };
  return {{std::move(d), Expand}};
}

}  // namespace tessera

// SGLang: one chain of edits, two backends for the truncations.
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

std::vector<PresetParameter> Parameters() {
  return {
      Number("temperature", 1, In(0, kMaxTemperature), "divides logits; below 1e-6 greedy"),
      Integer("top_k", -1, Or(-1, AtLeast(1)), "keeps the k likeliest; -1 is off"),
      Number("top_p", 1, Above(0, 1), "nucleus; 1 is off"),
      Number("min_p", 0, In(0, 1), "share of the likeliest token's probability; 0 is off"),
      Number("frequency_penalty", 0, In(-2, 2), "times the count in the output; 0 is off"),
      Number("presence_penalty", 0, In(-2, 2), "once for ids in the output; 0 is off"),
      Number("repetition_penalty", 1, Above(0, 2), "on ids of the output; 1 is off"),
      OfRow("n", "SampleRow.samples"),
      OfRow("sampling_seed", "SampleRow.seed"),
      OfRow("min_new_tokens", "SampleRow.min_tokens, with stop_ids"),
      OfRow("stop_token_ids", "SampleRow.stop_ids"),
      OfRow("logit_bias", "SampleRow.bias"),
  };
}

void AddEdits(const PresetValues& values, std::vector<Stage>* stages) {
  stages->push_back(FrequencyPenalty{.penalty = values.Number("frequency_penalty")});
  stages->push_back(PresencePenalty{.penalty = values.Number("presence_penalty")});
  stages->push_back(RepetitionPenalty{.penalty = values.Number("repetition_penalty"),
                                      .scope = PenaltyScope::kOutput});
  stages->push_back(LogitBias{});
}

// True where the row is greedy.
bool AddUpToTemperature(const PresetValues& values, ExpandedPreset* expanded) {
  AddEdits(values, &expanded->chain.stages);
  const double t = values.Number("temperature");
  expanded->greedy = t < 1e-6;
  if (expanded->greedy) {
    expanded->chain.stages.emplace_back(Greedy{});
    expanded->notes.emplace_back("temperature below 1e-6 is greedy");
  } else {
    expanded->chain.stages.emplace_back(Temperature{t});
  }
  return expanded->greedy;
}

int32_t Count(const PresetValues& values) {
  const int32_t k = values.Integer("top_k");
  return k < 0 ? 0 : k;
}

absl::Status ExpandFlashInfer(const PresetValues& values, ExpandedPreset* expanded) {
  if (AddUpToTemperature(values, expanded)) return absl::OkStatus();
  std::vector<Stage>& stages = expanded->chain.stages;
  const double m = values.Number("min_p");
  stages.emplace_back(TopK{.k = Count(values), .ties = Ties::kWhole});
  stages.emplace_back(TopP{.p = values.Number("top_p"), .joint = m == 0, .ties = Ties::kWhole});
  stages.emplace_back(MinP{m});
  expanded->notes.emplace_back(
      m == 0 ? "without min_p top-k and top-p both read the whole row; one row of a batch that has "
               "min_p makes the engine treat all its rows as sequential"
             : "with min_p top-p reads what top-k left");
  if (Count(values) == 1) {
    expanded->notes.emplace_back("top_k 1 keeps every token tied with the likeliest");
  }
  return absl::OkStatus();
}

absl::Status ExpandTorch(const PresetValues& values, ExpandedPreset* expanded) {
  if (AddUpToTemperature(values, expanded)) return absl::OkStatus();
  std::vector<Stage>& stages = expanded->chain.stages;
  stages.emplace_back(TopK{.k = Count(values)});
  stages.emplace_back(
      TopP{.p = values.Number("top_p"), .joint = true, .boundary = Boundary::kExceed});
  stages.emplace_back(MinP{values.Number("min_p")});
  expanded->notes.emplace_back(
      "which of tied tokens stay, the engine's unstable sort leaves open: here those of lower id");
  return absl::OkStatus();
}

PresetDescription Common() {
  return {
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kTempered,
      .rank = RankRule::kNone,
      .order = "frequency, presence, repetition, bias, temperature, top-k, top-p, min-p",
      .penalties = "frequency and presence before repetition, all on the output; bias last",
      .greedy_when = "temperature below 1e-6",
      .disabled = "top_k -1; top_p 1; min_p 0; repetition 1; frequency and presence 0",
      .draw =
          "torch's or FlashInfer's generator; with a seed a Gumbel race by a hash of (seed, "
          "position, column), the column being the rank in torch's sort where top_k or top_p cuts; "
          "no draw from sums, so here Tessera's own draw",
      .parameters = Parameters(),
  };
}

}  // namespace

std::vector<Preset> SglangPresets() {
  PresetDescription flashinfer = Common();
  flashinfer.name = "sglang-flashinfer";
  flashinfer.follows = "SGLang, sampling backend flashinfer";
  flashinfer.ties = "every token tied with the k-th stays";
  flashinfer.boundary = "the smallest prefix that reaches P, with every token tied with its last";
  flashinfer.base = "joint; sequential where min_p is set";
  PresetDescription torch = Common();
  torch.name = "sglang-pytorch";
  torch.follows = "SGLang, sampling backend pytorch";
  torch.ties = "exactly k; which tied ones is open, here lower id first";
  torch.boundary = "the smallest prefix that exceeds P; ties split, lower id first";
  torch.base = "joint: top-p reads the whole row";
  return {{std::move(flashinfer), ExpandFlashInfer}, {std::move(torch), ExpandTorch}};
}

}  // namespace tessera

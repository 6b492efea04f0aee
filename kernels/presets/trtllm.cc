// TensorRT-LLM's PyTorch flow: the torch sampler, and the one that calls FlashInfer.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/presets/engines.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

constexpr char kNotRead[] = "the PyTorch flow's rule for it has not been established";

std::vector<PresetParameter> Parameters() {
  return {
      Number("temperature", 1, In(0, kMaxTemperature),
             "divides logits by max(T, 1e-5); 0 is greedy"),
      Integer("top_k", 0, AtLeast(0), "keeps the k likeliest and their ties; 0 is off, 1 greedy"),
      Number("top_p", 1, In(0, 1), "nucleus; 1 is off, 0 greedy"),
      Fixed("min_p", 0.0, kNotRead),
      Fixed("repetition_penalty", 1.0, kNotRead),
      Fixed("presence_penalty", 0.0, kNotRead),
      Fixed("frequency_penalty", 0.0, kNotRead),
      Fixed("no_repeat_ngram_size", 0.0, kNotRead),
      Fixed("top_p_decay", 1.0, "top_p would change with every token: send the current one"),
      Fixed("use_beam_search", 0.0, "a beam search is no draw from one row"),
      OfRow("n", "SampleRow.samples"),
      OfRow("seed", "SampleRow.seed"),
      OfRow("min_tokens", "SampleRow.min_tokens, with stop_ids"),
      OfRow("embedding_bias", "SampleRow.bias"),
      OfRow("logprobs", "SampleRow.logprobs"),
  };
}

bool IsGreedy(const PresetValues& values) {
  const bool nothing_set =
      !values.Given("temperature") && !values.Given("top_k") && !values.Given("top_p");
  return nothing_set || values.Number("temperature") == 0 || values.Integer("top_k") == 1 ||
         values.Number("top_p") == 0;
}

template <Boundary boundary, Ties ties>
absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  stages.emplace_back(LogitBias{});
  if (IsGreedy(values)) {
    stages.emplace_back(Greedy{});
    expanded->greedy = true;
    expanded->notes.emplace_back(
        "greedy: temperature 0, top_k 1, top_p 0, or none of the three is set (the default)");
    return absl::OkStatus();
  }
  const double t = values.Number("temperature");
  if (t < 1e-5) expanded->notes.push_back(absl::StrCat("temperature ", t, " acts as 1e-5"));
  stages.emplace_back(Temperature{std::max(t, 1e-5)});
  stages.emplace_back(TopK{.k = values.Integer("top_k"), .ties = Ties::kWhole});
  stages.emplace_back(TopP{.p = values.Number("top_p"), .boundary = boundary, .ties = ties});
  if (ties == Ties::kSplit) {
    expanded->notes.emplace_back(
        "which of the tokens tied at the nucleus's end stay, the engine's unstable sort leaves "
        "open: here those of lower id");
  }
  return absl::OkStatus();
}

PresetDescription Common() {
  return {
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kProcessed,
      .rank = RankRule::kNone,
      .order = "bias, temperature, top-k, top-p",
      .ties = "every token tied with the k-th stays",
      .base = "sequential: top-p reads what top-k left",
      .penalties = "none offered",
      .greedy_when = "temperature 0, top_k 1, top_p 0, or temperature, top_k and top_p all unset",
      .disabled = "top_k 0 or unset; top_p 1 or unset",
      .draw = "torch's or FlashInfer's generator; here Tessera's own draw",
      .parameters = Parameters(),
  };
}

}  // namespace

std::vector<Preset> TrtLlmPresets() {
  PresetDescription torch = Common();
  torch.name = "trtllm-torch";
  torch.follows = "TensorRT-LLM, PyTorch flow, sampling in torch";
  torch.boundary = "the smallest prefix that exceeds P; ties split, lower id first";
  PresetDescription flashinfer = Common();
  flashinfer.name = "trtllm-flashinfer";
  flashinfer.follows = "TensorRT-LLM, PyTorch flow, sampling by FlashInfer";
  flashinfer.boundary = "the smallest prefix that reaches P, with every token tied with its last";
  return {{std::move(torch), Expand<Boundary::kExceed, Ties::kSplit>},
          {std::move(flashinfer), Expand<Boundary::kReach, Ties::kWhole>}};
}

}  // namespace tessera

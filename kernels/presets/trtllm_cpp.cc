// TensorRT-LLM's C++ decoder, and FasterTransformer before it: temperature before the penalties,
// and a nucleus whose last token keeps only the mass that is needed of it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

constexpr int32_t kMostCandidates = 1024;

std::vector<PresetParameter> Parameters() {
  return {
      Number("temperature", 1, In(0, kMaxTemperature),
             "divides logits by T + 1e-6, before the penalties; 1 is off"),
      Integer("top_k", 0, AtLeast(0), "keeps the k likeliest, 1024 at most; 0 is off"),
      Number("top_p", 0, In(0, 1), "nucleus; 0 is off with a top_k and greedy without one"),
      Number("repetition_penalty", 1, Above(0), "on ids of prompt and output; 1 is off"),
      Number("presence_penalty", 0, Finite(), "once for ids of prompt and output; 0 is off"),
      Number("frequency_penalty", 0, Finite(), "times the count in prompt and output; 0 is off"),
      Fixed("min_p", 0.0, "the kernels that were read have none"),
      Fixed("no_repeat_ngram_size", 0.0, "the kernel's rule for it has not been established"),
      Fixed("top_p_decay", 1.0, "top_p would change with every token: send the current one"),
      Fixed("beam_width", 1.0, "a beam search is no draw from one row"),
      OfRow("top_p_min", "left out: it belongs to top_p_decay"),
      OfRow("top_p_reset_ids", "left out: it belongs to top_p_decay"),
      OfRow("seed", "SampleRow.seed"),
      OfRow("random_seed", "SampleRow.seed"),
      OfRow("min_length", "SampleRow.min_tokens, with stop_ids"),
      OfRow("embedding_bias", "SampleRow.bias"),
  };
}

void AddEdits(const PresetValues& values, std::vector<Stage>* stages) {
  const double t = values.Number("temperature");
  stages->push_back(LogitBias{});
  stages->push_back(Temperature{std::abs(t - 1) < 1e-9 ? 1 : t + 1e-6});
  stages->push_back(RepetitionPenalty{.penalty = values.Number("repetition_penalty")});
  stages->push_back(PresencePenalty{.penalty = values.Number("presence_penalty"),
                                    .scope = PenaltyScope::kPromptAndOutput});
  stages->push_back(FrequencyPenalty{.penalty = values.Number("frequency_penalty"),
                                     .scope = PenaltyScope::kPromptAndOutput});
}

absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  AddEdits(values, &stages);
  const int32_t k = std::min(values.Integer("top_k"), kMostCandidates);
  const double p = values.Number("top_p");
  expanded->notes.emplace_back("the engine divides by T + 1e-6 unless T is 1");
  if (k == 1 || (k == 0 && p == 0)) {
    stages.emplace_back(Greedy{});
    expanded->greedy = true;
    expanded->notes.emplace_back("one token is left: top_k is 1, or top_k and top_p are both 0");
    return absl::OkStatus();
  }
  if (k < values.Integer("top_k")) {
    expanded->notes.emplace_back("top_k acts as 1024, the most it takes");
  }
  stages.emplace_back(TopK{.k = k});
  const double share = p == 0 ? 1 : p;
  stages.emplace_back(TopP{.p = share, .partial = share < 1});
  if (share < 1) {
    expanded->notes.emplace_back(
        "the nucleus's last token keeps only what the others leave of P: a set as elsewhere, with "
        "another law");
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<Preset> TrtLlmCppPresets() {
  PresetDescription d{
      .name = "trtllm-cpp",
      .follows = "TensorRT-LLM's C++ decoder; FasterTransformer has the same rule",
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kProcessed,
      .rank = RankRule::kNone,
      .order = "bias, temperature, repetition, presence, frequency, top-k, top-p",
      .ties = "exactly k; which tied ones is open, here lower id first",
      .boundary = "the smallest prefix that reaches P, its last token cut to fit; lower id first",
      .base = "sequential: top-p reads what top-k left",
      .penalties = "all on prompt and output, after temperature",
      .greedy_when = "top_k 1, or top_k 0 and top_p 0 (the default); never by temperature",
      .disabled = "top_k 0; top_p 1, and 0 where top_k is set; repetition 1; others 0",
      .draw = "its own curand state; here Tessera's own draw",
      .parameters = Parameters(),
  };
  return {{std::move(d), Expand}};
}

}  // namespace tessera

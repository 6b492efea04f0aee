// vLLM: three implementations of top-k and top-p behind one API, and model runner V2.
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/presets/engines.h"
#include "kernels/presets/one_minus.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

enum class Path { kTorch, kTriton, kFlashInfer, kRunnerV2 };

std::vector<PresetParameter> Parameters() {
  return {
      Number("temperature", 1, In(0, kMaxTemperature),
             "divides logits; 0 is greedy, what lies between 0 and 0.01 is raised to 0.01"),
      Integer("top_k", 0, AtLeast(-1), "keeps the k likeliest; 0 and -1 are off"),
      Number("top_p", 1, Above(0, 1), "nucleus; 1 is off"),
      Number("min_p", 0, In(0, 1), "share of the likeliest token's probability; 0 is off"),
      Number("repetition_penalty", 1, Above(0), "on ids of prompt and output; 1 is off"),
      Number("frequency_penalty", 0, In(-2, 2), "times the count in the output; 0 is off"),
      Number("presence_penalty", 0, In(-2, 2), "once for ids in the output; 0 is off"),
      Text("bad_words", "", "ids separated by commas, words by semicolons",
           "words whose last id is banned where the output ends in the others, as token ids"),
      OfRow("n", "SampleRow.samples"),
      OfRow("seed", "SampleRow.seed"),
      OfRow("min_tokens", "SampleRow.min_tokens, with stop_ids"),
      OfRow("stop_token_ids", "SampleRow.stop_ids"),
      OfRow("logit_bias", "SampleRow.bias; this API clamps values to [-100, 100]"),
      OfRow("allowed_token_ids", "SampleRow.allowed"),
      OfRow("logprobs", "SampleRow.logprobs"),
      OfRow("logprobs_mode",
            "SampleRow.logprobs.modes; RAW_MASKED is raw_logprobs, PROCESSED is "
            "processed_logprobs"),
  };
}

absl::Status AddEdits(Path path, const PresetValues& values, std::vector<Stage>* stages) {
  absl::StatusOr<std::vector<TokenSequence>> words = ReadSequences(values.Text("bad_words"));
  if (!words.ok()) return values.Refuse("bad_words", words.status().message());
  const BadWords bad_words{.words = *std::move(words), .scope = HistoryScope::kOutput};
  if (path != Path::kRunnerV2) stages->push_back(bad_words);
  stages->push_back(LogitBias{});
  if (path == Path::kRunnerV2) stages->push_back(bad_words);
  stages->push_back(RepetitionPenalty{.penalty = values.Number("repetition_penalty")});
  stages->push_back(FrequencyPenalty{.penalty = values.Number("frequency_penalty")});
  stages->push_back(PresencePenalty{.penalty = values.Number("presence_penalty")});
  return absl::OkStatus();
}

TopP NucleusOf(Path path, double p) {
  switch (path) {
    case Path::kTorch:
      return {.p = ShareByFloatComplement(p)};
    case Path::kFlashInfer:
      return {.p = p, .ties = Ties::kWhole};
    case Path::kTriton:
    case Path::kRunnerV2:
      break;
  }
  return {.p = p};
}

template <Path path>
absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  if (absl::Status status = AddEdits(path, values, &stages); !status.ok()) return status;
  double t = values.Number("temperature");
  if (t == 0) {
    stages.emplace_back(Greedy{});
    expanded->greedy = true;
    expanded->notes.emplace_back("temperature 0 is greedy: top_k, top_p and min_p do nothing");
    return absl::OkStatus();
  }
  if (t < 0.01) {
    expanded->notes.push_back(
        absl::StrCat("temperature ", t, " is raised to 0.01, as the API does"));
    t = 0.01;
  }
  const bool whole = path == Path::kTorch || path == Path::kFlashInfer;
  const int32_t k = values.Integer("top_k");
  stages.emplace_back(Temperature{t});
  stages.emplace_back(MinP{values.Number("min_p")});
  stages.emplace_back(TopK{.k = k < 0 ? 0 : k, .ties = whole ? Ties::kWhole : Ties::kSplit});
  stages.emplace_back(NucleusOf(path, values.Number("top_p")));
  if (path == Path::kTorch && values.Number("top_p") < 1) {
    expanded->notes.emplace_back(
        "top_p is the share that 1 - top_p in binary32 leaves, as the engine computes it; which of "
        "the tokens tied at its end stay, the engine leaves open: here those of lower id");
  }
  if (!whole && values.Number("top_p") < 1) {
    expanded->notes.emplace_back(
        "the kernel finds the tokens tied at the nucleus's end by a logit that it computes back in "
        "binary32; where that misses, all of them stay: here always those of lower id");
  }
  return absl::OkStatus();
}

PresetDescription Common() {
  return {
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kRawMasked,
      .rank = RankRule::kAtLeast,
      .order = "bad words, bias, repetition, frequency, presence, temperature, min-p, top-k, top-p",
      .base = "sequential: top-p reads what top-k left",
      .penalties = "repetition on prompt and output, then frequency, then presence on the output",
      .greedy_when =
          "temperature below 1e-5; the API raises what lies in (0, 0.01) to 0.01 first, "
          "so only 0",
      .disabled = "top_k 0 and -1; top_p 1; min_p 0; repetition 1; frequency and presence 0",
      .draw = "a race of exponentials from torch's generator; here Tessera's own draw",
      .parameters = Parameters(),
  };
}

Preset Torch() {
  PresetDescription d = Common();
  d.name = "vllm-torch";
  d.follows = "vLLM V1, top-k and top-p in torch";
  d.ties = "every token tied with the k-th stays";
  d.boundary =
      "the smallest prefix that reaches P, by 1 - P in binary32; ties split, lower id first";
  return {std::move(d), Expand<Path::kTorch>};
}

Preset Triton() {
  PresetDescription d = Common();
  d.name = "vllm-triton";
  d.follows = "vLLM V1, top-k and top-p in Triton";
  d.ties = "exactly k, lower id first";
  d.boundary = "the smallest prefix that reaches P; ties split, lower id first";
  return {std::move(d), Expand<Path::kTriton>};
}

Preset FlashInfer() {
  PresetDescription d = Common();
  d.name = "vllm-flashinfer";
  d.follows = "vLLM V1, top-k and top-p by FlashInfer (rows without a seed)";
  d.ties = "every token tied with the k-th stays";
  d.boundary = "the smallest prefix that reaches P, with every token tied with its last";
  return {std::move(d), Expand<Path::kFlashInfer>};
}

Preset RunnerV2() {
  PresetDescription d = Common();
  d.name = "vllm-mrv2";
  d.follows = "vLLM's model runner V2, top-k and top-p in Triton";
  d.order = "bias, bad words, repetition, frequency, presence, temperature, min-p, top-k, top-p";
  d.ties = "exactly k, lower id first";
  d.boundary = "the smallest prefix that reaches P; ties split, lower id first";
  d.greedy_when = "temperature 0; the API raises what lies in (0, 0.01) to 0.01";
  d.draw =
      "a Gumbel race over all ids by a hash of (seed, position, id), in the device's float32 "
      "logarithms; no draw from sums, so here Tessera's own draw";
  return {std::move(d), Expand<Path::kRunnerV2>};
}

}  // namespace

std::vector<Preset> VllmPresets() { return {Torch(), Triton(), FlashInfer(), RunnerV2()}; }

}  // namespace tessera

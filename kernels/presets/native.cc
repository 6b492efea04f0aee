// Tessera's own stages in one order, for who wants a flat list of parameters and no chain.
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

std::vector<PresetParameter> Parameters() {
  return {
      Number("repetition_penalty", 1, Above(0), "on ids of prompt and output; 1 is off"),
      Number("frequency_penalty", 0, Finite(), "times the count in the output; 0 is off"),
      Number("presence_penalty", 0, Finite(), "once for ids in the output; 0 is off"),
      Integer("no_repeat_ngram", 0, AtLeast(0), "no n-gram twice; 0 is off"),
      Number("temperature", 1, Or(0, In(kMinTemperature, kMaxTemperature)), "0 is greedy"),
      Number("top_n_sigma", 0, Below(0, 0x1p26), "standard deviations below the largest; 0 is off"),
      Integer("top_k", 0, AtLeast(0), "keeps the k likeliest; 0 is off"),
      Number("typical_p", 1, In(0, 1), "mass nearest to the entropy; 1 is off"),
      Number("top_p", 1, In(0, 1), "nucleus; 1 is off, 0 keeps one token"),
      Number("min_p", 0, In(0, 1), "share of the likeliest token's probability; 0 is off"),
      Number("top_a", 0, In(0, 1), "times the likeliest's probability squared; 0 is off"),
      Number("epsilon_cutoff", 0, Below(0, 1), "least probability; 0 is off"),
      Number("eta_cutoff", 0, Below(0, 1), "least probability, by entropy; 0 is off"),
      Number("xtc_probability", 0, In(0, 1), "chance to exclude top choices; 0 is off"),
      Number("xtc_threshold", 0.1, Above(0, 1), "probability of a top choice; above 0.5 is off"),
      OfRow("seed", "SampleRow.seed"),
      OfRow("min_tokens", "SampleRow.min_tokens, with stop_ids"),
      OfRow("logit_bias", "SampleRow.bias"),
  };
}

absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  expanded->chain.stages = {
      LogitBias{},
      RepetitionPenalty{.penalty = values.Number("repetition_penalty")},
      FrequencyPenalty{.penalty = values.Number("frequency_penalty")},
      PresencePenalty{.penalty = values.Number("presence_penalty")},
      NoRepeatNgram{.n = static_cast<uint32_t>(values.Integer("no_repeat_ngram"))},
      Temperature{values.Number("temperature")},
      TopNSigma{values.Number("top_n_sigma")},
      TopK{.k = values.Integer("top_k")},
      TypicalP{.p = values.Number("typical_p")},
      TopP{.p = values.Number("top_p")},
      MinP{values.Number("min_p")},
      TopA{values.Number("top_a")},
      EpsilonCutoff{values.Number("epsilon_cutoff")},
      EtaCutoff{values.Number("eta_cutoff")},
      Xtc{.probability = values.Number("xtc_probability"),
          .threshold = values.Number("xtc_threshold")},
  };
  expanded->greedy = values.Number("temperature") == 0;
  return absl::OkStatus();
}

}  // namespace

std::vector<Preset> NativePresets() {
  PresetDescription d{
      .name = "tessera",
      .follows = "Tessera's own stages",
      .fidelity = Fidelity::kTokens,
      .logprobs = LogprobMode::kTempered,
      .rank = RankRule::kLargerPlusOne,
      .order =
          "bias, repetition, frequency, presence, no-repeat n-gram, temperature, top-n-sigma, "
          "top-k, typical-p, top-p, min-p, top-a, epsilon, eta, xtc",
      .ties = "exactly k, lower id first",
      .boundary = "the smallest prefix that reaches P, lower id first",
      .base = "sequential: each stage reads what the one before it left",
      .penalties = "repetition on prompt and output, then frequency and presence on the output",
      .greedy_when = "temperature 0",
      .disabled = "temperature 1; top_k 0; top_p and typical_p 1; repetition 1; others 0",
      .draw = "Philox of (seed, position, stream, sample), in the order of ids",
      .parameters = Parameters(),
  };
  return {{std::move(d), Expand}};
}

}  // namespace tessera

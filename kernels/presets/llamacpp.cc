// llama.cpp: a configurable list of samplers, temperature last by default.
#include <utility>

#include "kernels/presets/engines.h"
#include "kernels/presets/llamacpp_samplers.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

constexpr char kDefaultSamplers[] =
    "penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature";

std::vector<PresetParameter> Truncations() {
  return {
      Text("samplers", kDefaultSamplers, "names separated by semicolons, or letters of edskypmxta",
           "the list, in order: penalties, dry, top_n_sigma, top_k, typ_p, top_p, min_p, xtc, "
           "temperature, adaptive_p"),
      Integer("top_k", 40, Finite(), "keeps the k likeliest; 0 and below is off"),
      Number("top_p", 0.95, Finite(), "nucleus; 1 and above is off, 0 and below keeps one"),
      Number("min_p", 0.05, AtMost(1), "share of the likeliest's probability; 0 and below is off"),
      Also("typ_p", Number("typical_p", 1, Finite(), "mass nearest to the entropy; 1 is off")),
      Number("top_n_sigma", -1, AtMost(0x1p25), "standard deviations below the largest; 0 is off"),
      Number("xtc_probability", 0, AtMost(1), "chance to exclude top choices; 0 is off"),
      Number("xtc_threshold", 0.1, Above(0), "probability of a top choice; above 0.5 is off"),
      Integer("min_keep", 0, In(0, 1), "every sampler keeps one token; more is not offered"),
  };
}

std::vector<PresetParameter> Temperatures() {
  return {
      Also("temp", Number("temperature", 0.8, AtMost(0x1p19), "0 and below is greedy")),
      Number("dynatemp_range", 0, AtMost(0x1p19), "to both sides of temperature; 0 is off"),
      Number("dynatemp_exponent", 1, Above(0, 64), "of the dynamic temperature"),
      Integer("mirostat", 0, In(0, 2), "1 and 2 replace the whole list"),
      Number("mirostat_tau", 5, Above(0, 64), "target surprisal in bits"),
      Number("mirostat_eta", 0.1, In(0, 1024), "learning rate"),
      Number("adaptive_target", -1, AtMost(1), "probability aimed at; below 0 is off"),
      Number("adaptive_decay", 0.9, Finite(), "weight of the past, clamped to [0, 0.99]"),
  };
}

std::vector<PresetParameter> Edits() {
  return {
      Also("penalty_last_n",
           Integer("repeat_last_n", 64, AtLeast(-1), "tokens of history that count; 0 is off")),
      Also("penalty_repeat", Number("repeat_penalty", 1, Above(0), "repetition penalty; 1 is off")),
      Also("penalty_freq", Number("frequency_penalty", 0, Finite(), "times the count; 0 is off")),
      Also("penalty_present", Number("presence_penalty", 0, Finite(), "once for ids; 0 is off")),
      Number("dry_multiplier", 0, AtLeast(0), "DRY; 0 is off"),
      Number("dry_base", 1.75, AtLeast(0), "grows with each further token; below 1 is off"),
      Integer("dry_allowed_length", 2, AtLeast(0), "tokens that may repeat unpunished"),
      Integer("dry_penalty_last_n", -1, AtLeast(-1), "window of DRY; -1 is all, 0 is off"),
      Text("dry_sequence_breakers", "", "ids separated by commas, breakers by semicolons, or none",
           "the breakers' token ids: the engine's are texts that its tokenizer turns into these"),
  };
}

std::vector<PresetParameter> OfRows() {
  return {
      OfRow("seed", "SampleRow.seed; the engine reads its low 32 bits"),
      OfRow("n_probs", "SampleRow.logprobs.top_n"),
      OfRow("post_sampling_probs", "SampleRow.logprobs.modes; PROCESSED"),
      OfRow("logit_bias", "SampleRow.bias"),
      OfRow("ignore_eos", "SampleRow.banned_ids"),
      OfRow("grammar",
            "SampleRow.grammar_row; the engine by default draws first and masks only "
            "when the grammar rejects the token, which is another law"),
  };
}

std::vector<PresetParameter> Parameters() {
  std::vector<PresetParameter> all;
  for (auto* part : {Truncations, Temperatures, Edits, OfRows}) {
    for (PresetParameter& parameter : part()) all.push_back(std::move(parameter));
  }
  return all;
}

absl::Status ExpandMirostat(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  const double t = values.Number("temperature");
  const double tau = values.Number("mirostat_tau");
  const double eta = values.Number("mirostat_eta");
  stages.emplace_back(LogitBias{});
  expanded->fidelity = Fidelity::kLaw;  // it draws by another rule
  expanded->notes.emplace_back(
      "mirostat replaces the list: penalties, DRY and truncations do nothing");
  expanded->greedy = t <= 0;
  if (t <= 0) {
    stages.emplace_back(Greedy{});
    return absl::OkStatus();
  }
  stages.emplace_back(Temperature{t});
  if (values.Integer("mirostat") == 1) {
    stages.emplace_back(MirostatV1{.tau = tau, .eta = eta});
  } else {
    stages.emplace_back(MirostatV2{.tau = tau, .eta = eta});
    expanded->notes.emplace_back(
        "where even the likeliest token exceeds mu, all that are tied with it stay; the engine "
        "keeps one");
  }
  return absl::OkStatus();
}

absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  return values.Integer("mirostat") > 0 ? ExpandMirostat(values, expanded)
                                        : ExpandSamplers(values, expanded);
}

}  // namespace

std::vector<Preset> LlamaCppPresets() {
  PresetDescription d{
      .name = "llamacpp",
      .follows = "llama.cpp, the samplers of its common library and server",
      .fidelity = Fidelity::kTokens,
      .logprobs = LogprobMode::kRaw,
      .rank = RankRule::kNone,
      .order =
          "bias, penalties, dry, top-n-sigma, top-k, typical-p, top-p, min-p, xtc, temperature; "
          "as samplers says",
      .ties = "exactly k; which tied ones is open, here lower id first",
      .boundary = "the smallest prefix that reaches P; ties split, lower id first",
      .base = "sequential: each sampler reads what the one before it left",
      .penalties =
          "repetition, frequency, presence on the last repeat_last_n tokens of prompt and "
          "output",
      .greedy_when = "temperature 0 and below",
      .disabled =
          "top_k 0 and below; top_p and typical_p 1 and above; min_p, top_n_sigma and "
          "xtc_probability 0 and below; repeat_last_n 0; repeat_penalty 1",
      .draw = "through the candidates as the samplers left them, sorted or by id, by std::mt19937",
      .parameters = Parameters(),
  };
  return {{std::move(d), Expand}};
}

}  // namespace tessera

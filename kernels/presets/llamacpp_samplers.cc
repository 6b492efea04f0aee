#include "kernels/presets/llamacpp_samplers.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/presets/llamacpp_names.h"

namespace tessera {
namespace {

// How the candidates lie when the draw runs through them.
enum class Order { kById, kSorted, kUnknown };

class Expansion {
 public:
  Expansion(const PresetValues& values, ExpandedPreset* expanded)
      : values_(values), expanded_(*expanded), stages_(expanded->chain.stages) {}

  absl::Status Run() {
    stages_.push_back(LogitBias{});
    absl::StatusOr<std::vector<LlamaSampler>> samplers = ReadSamplers(values_);
    if (!samplers.ok()) return samplers.status();
    bool adaptive = false;
    for (const LlamaSampler sampler : *samplers) {
      adaptive |= sampler == LlamaSampler::kAdaptive;
      if (absl::Status status = Add(sampler); !status.ok()) return status;
    }
    Draw(adaptive);
    return absl::OkStatus();
  }

 private:
  absl::Status Add(LlamaSampler sampler) {
    switch (sampler) {
      case LlamaSampler::kPenalties:
        return Penalties();
      case LlamaSampler::kDry:
        return AddDry();
      case LlamaSampler::kTemperature:
        return AddTemperature();
      case LlamaSampler::kAdaptive:
        return absl::OkStatus();  // always at the end
      default:
        cut_ = true;
        Truncate(sampler);
        return absl::OkStatus();
    }
  }

  void Truncate(LlamaSampler sampler) {
    if (sampler == LlamaSampler::kTopNSigma) {
      stages_.push_back(TopNSigma{std::max(values_.Number("top_n_sigma"), 0.0)});
    } else if (sampler == LlamaSampler::kTopK) {
      const int32_t k = std::max(values_.Integer("top_k"), 0);
      stages_.push_back(TopK{.k = k});
      if (k > 0) order_ = Order::kSorted;
    } else if (sampler == LlamaSampler::kTypical) {
      const double p = std::clamp(values_.Number("typical_p"), 0.0, 1.0);
      stages_.push_back(TypicalP{.p = p, .boundary = Boundary::kExceed});
      if (p < 1) order_ = Order::kUnknown;
    } else if (sampler == LlamaSampler::kTopP) {
      const double p = std::clamp(values_.Number("top_p"), 0.0, 1.0);
      stages_.push_back(TopP{.p = p});
      if (p < 1) order_ = Order::kSorted;
    } else if (sampler == LlamaSampler::kMinP) {
      stages_.push_back(MinP{std::max(values_.Number("min_p"), 0.0)});
    } else {
      ExcludeTop();
    }
  }

  // Its coin comes from a generator of its own, and it sorts only if the coin says so.
  void ExcludeTop() {
    const Xtc xtc{.probability = std::max(values_.Number("xtc_probability"), 0.0),
                  .threshold = std::min(values_.Number("xtc_threshold"), 1.0)};
    stages_.push_back(xtc);
    if (!IsOff(xtc)) order_ = Order::kUnknown;
  }

  // Edits change logits, so they cannot follow what has cut the row.
  absl::Status CheckEdit(const char* what) const {
    if (!cut_) return absl::OkStatus();
    return values_.Refuse("samplers", absl::StrCat("it must name ", what,
                                                   " before the truncations, a dynamic or a greedy "
                                                   "temperature: edits come before cuts"));
  }

  absl::Status Penalties() {
    const RepetitionPenalty repetition{.penalty = values_.Number("repeat_penalty")};
    const FrequencyPenalty frequency{.penalty = values_.Number("frequency_penalty"),
                                     .scope = PenaltyScope::kPromptAndOutput};
    const PresencePenalty presence{.penalty = values_.Number("presence_penalty"),
                                   .scope = PenaltyScope::kPromptAndOutput};
    const int32_t last_n = values_.Integer("repeat_last_n");
    if (last_n == 0) return absl::OkStatus();
    if (!IsOff(repetition) || !IsOff(frequency) || !IsOff(presence)) {
      if (absl::Status status = CheckEdit("penalties"); !status.ok()) return status;
      penalty_window_ = last_n;
      if (last_n > 0) {
        expanded_.notes.push_back(
            absl::StrCat("the row's history must be the last ", last_n, " tokens"));
      }
    } else if (cut_) {
      return absl::OkStatus();
    }
    for (const Stage& stage : {Stage(repetition), Stage(frequency), Stage(presence)}) {
      stages_.push_back(stage);
    }
    return CheckWindows();
  }

  absl::Status AddDry() {
    absl::StatusOr<std::vector<TokenSequence>> breakers =
        ReadSequences(values_.Text("dry_sequence_breakers"));
    if (!breakers.ok()) return values_.Refuse("dry_sequence_breakers", breakers.status().message());
    const int32_t last_n = values_.Integer("dry_penalty_last_n");
    const double base = values_.Number("dry_base");
    if (values_.Number("dry_multiplier") == 0 || base < 1 || last_n == 0) return absl::OkStatus();
    if (absl::Status status = CheckEdit("dry"); !status.ok()) return status;
    if (!values_.Given("dry_sequence_breakers")) {
      return values_.Refuse("dry_multiplier",
                            "dry_sequence_breakers must be given with it, as token ids, or none: "
                            "the engine's default breakers are texts");
    }
    stages_.push_back(
        Dry{.multiplier = values_.Number("dry_multiplier"),
            .base = base,
            .allowed_length = static_cast<uint32_t>(values_.Integer("dry_allowed_length")),
            .last_n = last_n,
            .breakers = *std::move(breakers)});
    dry_window_ = last_n;
    return CheckWindows();
  }

  // Penalties and DRY read one history, that of the row.
  absl::Status CheckWindows() const {
    if (penalty_window_ == 0 || dry_window_ == 0 || penalty_window_ == dry_window_) {
      return absl::OkStatus();
    }
    return values_.Refuse("dry_penalty_last_n",
                          absl::StrCat("it must be ", penalty_window_,
                                       ", as repeat_last_n: penalties and dry read one history"));
  }

  absl::Status AddTemperature() {
    const double t = values_.Number("temperature");
    const double range = values_.Number("dynatemp_range");
    cut_ |= range > 0 || t <= 0;
    if (range > 0) {
      if (t + range < 0)
        return values_.Refuse("temperature", "with dynatemp_range it must reach 0");
      stages_.push_back(DynamicTemperature{.low = std::max(0.0, t - range),
                                           .high = t + range,
                                           .exponent = values_.Number("dynatemp_exponent")});
      order_ = Order::kSorted;
    } else if (t <= 0) {
      expanded_.greedy = true;
      stages_.push_back(Greedy{});
    } else {
      stages_.push_back(Temperature{t});
    }
    return absl::OkStatus();
  }

  void Draw(bool adaptive) {
    if (expanded_.greedy) return;
    const double target = values_.Number("adaptive_target");
    if (adaptive && target >= 0) {
      const double decay = std::clamp(values_.Number("adaptive_decay"), 0.0, 0.99);
      stages_.push_back(AdaptiveP{.target = target, .decay = decay});
      order_ = Order::kUnknown;
    }
    if (order_ == Order::kUnknown) {
      expanded_.fidelity = Fidelity::kLaw;
      expanded_.notes.push_back(
          "the same law; not the same token for a seed, because the order of the candidates or a "
          "second generator is the engine's own");
      return;
    }
    const bool sorted = order_ == Order::kSorted;
    stages_.push_back(DrawRule{.order = sorted ? DrawOrder::kSorted : DrawOrder::kId,
                               .generator = Generator::kMt19937});
    expanded_.notes.push_back(
        "the row's seed is the generator's; its position is the number of draws before it that had "
        "more than one candidate");
  }

  const PresetValues& values_;
  ExpandedPreset& expanded_;
  std::vector<Stage>& stages_;
  Order order_ = Order::kById;
  bool cut_ = false;            // something has cut the row
  int32_t penalty_window_ = 0;  // of active penalties
  int32_t dry_window_ = 0;      // of an active DRY
};

}  // namespace

absl::Status ExpandSamplers(const PresetValues& values, ExpandedPreset* expanded) {
  return Expansion(values, expanded).Run();
}

}  // namespace tessera

#include "kernels/presets/llamacpp_samplers.h"

#include <algorithm>
#include <vector>

#include "kernels/presets/llamacpp_edits.h"
#include "kernels/presets/llamacpp_names.h"

namespace tessera {
namespace {

// How the candidates lie when the draw runs through them.
enum class Order { kById, kSorted, kUnknown };

class Expansion {
 public:
  Expansion(const PresetValues& values, ExpandedPreset* expanded)
      : values_(values),
        expanded_(*expanded),
        stages_(expanded->chain.stages),
        edits_(values, expanded) {}

  absl::Status Run() {
    stages_.emplace_back(LogitBias{});
    absl::StatusOr<std::vector<LlamaSampler>> samplers = ReadSamplers(values_);
    if (!samplers.ok()) return samplers.status();
    bool adaptive = false;
    for (const LlamaSampler sampler : *samplers) {
      adaptive |= sampler == LlamaSampler::kAdaptive;
      if (absl::Status status = Add(sampler); !status.ok()) return status;
    }
    const bool aims = adaptive && !expanded_.greedy && values_.Number("adaptive_target") >= 0;
    if (aims && dynamic_) {
      return values_.Refuse("adaptive_target",
                            "it must be below 0 (off) with dynatemp_range: adaptive-p needs logits "
                            "as the edits left them");
    }
    if (aims) AddAdaptive();
    if (!expanded_.greedy) Draw();
    return absl::OkStatus();
  }

 private:
  absl::Status Add(LlamaSampler sampler) {
    switch (sampler) {
      case LlamaSampler::kPenalties:
        return edits_.AddPenalties(cut_);
      case LlamaSampler::kDry:
        return edits_.AddDry(cut_);
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
      stages_.emplace_back(TopNSigma{std::max(values_.Number("top_n_sigma"), 0.0)});
    } else if (sampler == LlamaSampler::kTopK) {
      const int32_t k = std::max(values_.Integer("top_k"), 0);
      stages_.emplace_back(TopK{.k = k});
      if (k > 0) order_ = Order::kSorted;
    } else if (sampler == LlamaSampler::kTypical) {
      const double p = std::clamp(values_.Number("typical_p"), 0.0, 1.0);
      stages_.emplace_back(TypicalP{.p = p, .boundary = Boundary::kExceed});
      if (p < 1) order_ = Order::kUnknown;
    } else if (sampler == LlamaSampler::kTopP) {
      const double p = std::clamp(values_.Number("top_p"), 0.0, 1.0);
      stages_.emplace_back(TopP{.p = p});
      if (p < 1) order_ = Order::kSorted;
    } else if (sampler == LlamaSampler::kMinP) {
      stages_.emplace_back(MinP{std::max(values_.Number("min_p"), 0.0)});
    } else {
      ExcludeTop();
    }
  }

  // Its coin comes from a generator of its own, and it sorts only if the coin says so.
  void ExcludeTop() {
    const Xtc xtc{.probability = std::max(values_.Number("xtc_probability"), 0.0),
                  .threshold = std::min(values_.Number("xtc_threshold"), 1.0)};
    stages_.emplace_back(xtc);
    if (!IsOff(xtc)) order_ = Order::kUnknown;
  }

  absl::Status AddTemperature() {
    const double t = values_.Number("temperature");
    const double range = values_.Number("dynatemp_range");
    cut_ |= range > 0 || t <= 0;
    if (range > 0) {
      if (t + range < 0) {
        return values_.Refuse("temperature", "with dynatemp_range it must reach 0");
      }
      stages_.emplace_back(DynamicTemperature{.low = std::max(0.0, t - range),
                                              .high = t + range,
                                              .exponent = values_.Number("dynatemp_exponent")});
      order_ = Order::kSorted;
      dynamic_ = true;
      expanded_.notes.emplace_back(
          "ids at -inf are no candidates here; the engine counts them in ln n of dynatemp_range");
    } else if (t <= 0) {
      expanded_.greedy = true;
      stages_.emplace_back(Greedy{});
    } else {
      stages_.emplace_back(Temperature{t});
    }
    return absl::OkStatus();
  }

  void AddAdaptive() {
    stages_.emplace_back(
        AdaptiveP{.target = values_.Number("adaptive_target"),
                  .decay = std::clamp(values_.Number("adaptive_decay"), 0.0, 0.99)});
    order_ = Order::kUnknown;
  }

  void Draw() {
    if (order_ == Order::kUnknown) {
      expanded_.fidelity = Fidelity::kLaw;
      expanded_.notes.emplace_back(
          "the same law; not the same token for a seed, because the order of the candidates or a "
          "second generator is the engine's own");
      return;
    }
    const bool sorted = order_ == Order::kSorted;
    stages_.emplace_back(DrawRule{.order = sorted ? DrawOrder::kSorted : DrawOrder::kId,
                                  .generator = Generator::kMt19937});
    expanded_.notes.emplace_back(
        "the row's seed is the generator's; its position is the number of draws before it that had "
        "more than one candidate");
  }

  const PresetValues& values_;
  ExpandedPreset& expanded_;
  std::vector<Stage>& stages_;
  LlamaEdits edits_;
  Order order_ = Order::kById;
  bool cut_ = false;      // something has cut the row
  bool dynamic_ = false;  // there is a dynamic temperature
};

}  // namespace

absl::Status ExpandSamplers(const PresetValues& values, ExpandedPreset* expanded) {
  return Expansion(values, expanded).Run();
}

}  // namespace tessera

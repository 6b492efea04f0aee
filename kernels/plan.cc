#include "kernels/plan.h"

#include <string>
#include <type_traits>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "kernels/math/weight.h"

namespace tessera {
namespace {

const char* NameOf(const Stage& stage) {
  struct Namer {
    const char* operator()(const LogitBias&) { return "logit_bias"; }
    const char* operator()(const RepetitionPenalty&) { return "repetition_penalty"; }
    const char* operator()(const FrequencyPenalty&) { return "frequency_penalty"; }
    const char* operator()(const PresencePenalty&) { return "presence_penalty"; }
    const char* operator()(const Temperature&) { return "temperature"; }
    const char* operator()(const Greedy&) { return "greedy"; }
    const char* operator()(const TopK&) { return "top_k"; }
    const char* operator()(const TopP&) { return "top_p"; }
    const char* operator()(const MinP&) { return "min_p"; }
  };
  return std::visit(Namer{}, stage);
}

Edit EditOf(const LogitBias&) { return {Edit::Kind::kBias, PenaltyScope::kOutput, 0}; }
Edit EditOf(const RepetitionPenalty& s) {
  return {Edit::Kind::kRepetition, s.scope, static_cast<float>(s.penalty)};
}
Edit EditOf(const FrequencyPenalty& s) {
  return {Edit::Kind::kFrequency, s.scope, static_cast<float>(s.penalty)};
}
Edit EditOf(const PresencePenalty& s) {
  return {Edit::Kind::kPresence, s.scope, static_cast<float>(s.penalty)};
}

// Walks a chain once. Temperatures wait in `pending`: the next edit turns them into edits,
// otherwise they only change how weight is measured.
class Compiler {
 public:
  absl::StatusOr<Plan> Compile(const Chain& chain) {
    if (chain.stages.size() > size_t{kMaxStages}) {
      return absl::InvalidArgumentError(absl::StrCat("a chain has ", chain.stages.size(),
                                                     " stages; it may have at most ", kMaxStages));
    }
    for (index_ = 0; index_ < chain.stages.size(); ++index_) {
      stage_ = &chain.stages[index_];
      absl::Status status = std::visit([this](const auto& stage) { return Add(stage); }, *stage_);
      if (!status.ok()) return status;
    }
    if (plan_.greedy) {
      plan_.cut_count = 0;  // no cut moves the first key
      temperature_ = 1;
    }
    plan_.temperature = temperature_;
    plan_.c = InverseTemperature(temperature_);
    return plan_;
  }

 private:
  std::string Place() const { return absl::StrCat("stages[", index_, "]."); }

  template <class S>
  absl::Status Add(const S& stage) {
    if (const Refusal refusal = Check(stage)) {
      return absl::InvalidArgumentError(absl::StrCat(Place(), refusal.field, " is ", refusal.value,
                                                     "; it must be ", refusal.accepted));
    }
    if (IsOff(stage)) return absl::OkStatus();
    if constexpr (std::is_same_v<S, Temperature>) {
      return AddTemperature(stage);
    } else if constexpr (std::is_same_v<S, Greedy>) {
      plan_.greedy = true;
      return absl::OkStatus();
    } else if constexpr (std::is_same_v<S, TopK> || std::is_same_v<S, TopP> ||
                         std::is_same_v<S, MinP>) {
      if (plan_.cut_count == 0) truncation_ = absl::StrCat(Place(), NameOf(*stage_));
      plan_.cuts[plan_.cut_count++] = CutOf(stage, InverseTemperature(temperature_));
      return absl::OkStatus();
    } else {
      return AddEdit(EditOf(stage));
    }
  }

  absl::Status AddTemperature(const Temperature& stage) {
    if (stage.t == 0) {
      plan_.greedy = true;
      return absl::OkStatus();
    }
    temperature_ *= stage.t;
    if (!(temperature_ >= kMinTemperature && temperature_ <= kMaxTemperature)) {
      return absl::InvalidArgumentError(
          absl::StrCat(Place(), "temperature.t is ", stage.t, ", which makes the product of the ",
                       "chain's temperatures ", temperature_, "; it must be in [2^-100, 2^100]"));
    }
    pending_[pending_count_++] = static_cast<float>(1 / stage.t);
    return absl::OkStatus();
  }

  absl::Status AddEdit(const Edit& edit) {
    if (plan_.cut_count > 0) {
      return absl::InvalidArgumentError(absl::StrCat(Place(), NameOf(*stage_), " follows ",
                                                     truncation_,
                                                     "; edits must come before truncations"));
    }
    if (plan_.greedy) {
      return absl::InvalidArgumentError(
          absl::StrCat(Place(), NameOf(*stage_),
                       " follows a greedy choice (greedy, or temperature 0); edits must come "
                       "before it"));
    }
    if (edit.kind == Edit::Kind::kBias && plan_.uses_bias) {
      return absl::InvalidArgumentError(
          absl::StrCat(Place(), "logit_bias is repeated; a chain may hold it once"));
    }
    for (int i = 0; i < pending_count_; ++i) {
      plan_.edits[plan_.edit_count++] = {Edit::Kind::kScale, PenaltyScope::kOutput, pending_[i]};
    }
    pending_count_ = 0;
    temperature_ = 1;
    plan_.edits[plan_.edit_count++] = edit;
    (edit.kind == Edit::Kind::kBias ? plan_.uses_bias : plan_.uses_counts) = true;
    return absl::OkStatus();
  }

  Plan plan_;
  size_t index_ = 0;
  const Stage* stage_ = nullptr;
  std::string truncation_;  // the first one's place and name
  double temperature_ = 1;  // product of those not turned into edits
  float pending_[kMaxStages] = {};
  int pending_count_ = 0;
};

}  // namespace

absl::StatusOr<Plan> CompileChain(const Chain& chain) { return Compiler().Compile(chain); }

}  // namespace tessera

#include "kernels/plan.h"

#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "kernels/math/weight.h"
#include "kernels/plan_cuts.h"
#include "kernels/plan_edits.h"
#include "kernels/stage_names.h"

namespace tessera {
namespace {

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
      if (!plan_.rewrites) plan_.cut_count = 0;
      plan_.partial = false;
      temperature_ = tempered_ = 1;
    }
    plan_.sorted_draw |= plan_.partial;
    plan_.temperature = temperature_;
    plan_.c = InverseTemperature(temperature_);
    plan_.tempered = tempered_;
    plan_.tempered_c = InverseTemperature(tempered_);
    return plan_;
  }

 private:
  std::string Place() const { return absl::StrCat("stages[", index_, "]."); }

  template <class S>
  absl::Status Add(const S& stage) {
    if (const Refusal refusal = Check(stage)) {
      return absl::InvalidArgumentError(absl::StrCat(Place(), Described(refusal)));
    }
    if (IsOff(stage)) return absl::OkStatus();
    if constexpr (std::is_same_v<S, Temperature>) {
      return AddTemperature(stage);
    } else if constexpr (std::is_same_v<S, Greedy>) {
      if (plan_.stateful) return FollowsLast();
      plan_.greedy = true;
      return absl::OkStatus();
    } else if constexpr (std::is_same_v<S, DrawRule>) {
      plan_.sorted_draw = stage.order == DrawOrder::kSorted;
      plan_.generator = stage.generator;
      return absl::OkStatus();
    } else if constexpr (OnlyBans<S>::value) {
      return CheckEditPlace();
    } else if constexpr (IsCut<S>::value) {
      return AddCut(CutOf(stage, InverseTemperature(temperature_)));
    } else {
      return AddEdit(EditOf(stage));
    }
  }

  absl::Status Refuse(absl::string_view what) const {
    return absl::InvalidArgumentError(absl::StrCat(Place(), NameOf(*stage_), what));
  }

  absl::Status FollowsLast() const {
    return Refuse(absl::StrCat(" follows ", cuts_.last(), ", which must be last"));
  }

  absl::Status AddCut(const Cut& cut) {
    if (plan_.greedy) return absl::OkStatus();  // one token is left, which no cut removes
    if (const std::string refused = cuts_.WhyNot(cut, plan_); !refused.empty()) {
      return Refuse(refused);
    }
    cuts_.Add(cut, absl::StrCat(Place(), NameOf(*stage_)), &plan_);
    if (cut.kind == Cut::Kind::kAdaptive) temperature_ = 1;
    return absl::OkStatus();
  }

  absl::Status AddTemperature(const Temperature& stage) {
    if (plan_.stateful) return FollowsLast();
    if (stage.t == 0) {
      plan_.greedy = true;
      return absl::OkStatus();
    }
    if (plan_.partial) {
      return Refuse(
          absl::StrCat(" follows ", cuts_.last(), ", whose partial weight is of its own scale"));
    }
    temperature_ *= stage.t;
    tempered_ *= stage.t;
    if (!(temperature_ >= kMinTemperature && temperature_ <= kMaxTemperature)) {
      return absl::InvalidArgumentError(
          absl::StrCat(Place(), "temperature.t is ", stage.t, ", which makes the product of the ",
                       "chain's temperatures ", temperature_, "; it must be in [2^-100, 2^100]"));
    }
    pending_[pending_count_++] = static_cast<float>(1 / stage.t);
    return absl::OkStatus();
  }

  absl::Status CheckEditPlace() const {
    if (plan_.cut_count > 0) {
      return absl::InvalidArgumentError(absl::StrCat(Place(), NameOf(*stage_), " follows ",
                                                     cuts_.first(),
                                                     "; edits must come before truncations"));
    }
    if (plan_.greedy) {
      return absl::InvalidArgumentError(
          absl::StrCat(Place(), NameOf(*stage_),
                       " follows a greedy choice (greedy, or temperature 0); edits must come "
                       "before it"));
    }
    return absl::OkStatus();
  }

  absl::Status AddEdit(const Edit& edit) {
    if (absl::Status status = CheckEditPlace(); !status.ok()) return status;
    if (const std::string refused = UseList(edit, &plan_); !refused.empty()) return Refuse(refused);
    for (int i = 0; i < pending_count_; ++i) {
      plan_.edits[plan_.edit_count++] = {Edit::Kind::kScale, PenaltyScope::kOutput, pending_[i]};
    }
    pending_count_ = 0;
    temperature_ = tempered_ = 1;
    plan_.edits[plan_.edit_count++] = edit;
    if (edit.kind == Edit::Kind::kAddition) {
      plan_.edits[plan_.edit_count - 1].list = static_cast<uint8_t>(plan_.additions++);
    }
    return absl::OkStatus();
  }

  Plan plan_;
  size_t index_ = 0;
  const Stage* stage_ = nullptr;
  PlannedCuts cuts_;
  double temperature_ = 1;  // product of those not turned into edits, of the draw
  double tempered_ = 1;     // likewise, of the tempered row
  float pending_[kMaxStages] = {};
  int pending_count_ = 0;
};

}  // namespace

absl::StatusOr<Plan> CompileChain(const Chain& chain) { return Compiler().Compile(chain); }

}  // namespace tessera

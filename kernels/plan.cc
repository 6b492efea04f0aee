#include "kernels/plan.h"

#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "kernels/math/weight.h"
#include "kernels/plan_edits.h"
#include "kernels/stage_names.h"

namespace tessera {
namespace {

// Whether a stage becomes a cut: CutOf knows it.
template <class S, class = void>
struct IsCut : std::false_type {};
template <class S>
struct IsCut<S, std::void_t<decltype(CutOf(std::declval<const S&>(), 0.0f))>> : std::true_type {};

// Cuts that rewrite logits or may remove the first key. Each of them may move another key to its
// place: of two logits that differ, smoothing and dynamic temperature may make equal ones.
bool Rewrites(Cut::Kind kind) {
  return kind == Cut::Kind::kTypical || kind == Cut::Kind::kExcludeTop ||
         kind == Cut::Kind::kAdaptive || kind == Cut::Kind::kDynamicTemperature ||
         kind == Cut::Kind::kSmooth;
}

bool IsStateful(Cut::Kind kind) {
  return kind == Cut::Kind::kMirostatV1 || kind == Cut::Kind::kMirostatV2 ||
         kind == Cut::Kind::kAdaptive;
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
      if (plan_.stateful) return Refuse(absl::StrCat(" follows ", last_, ", which must be last"));
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

  absl::Status AddCut(const Cut& cut) {
    if (plan_.greedy) return absl::OkStatus();  // one token is left, which no cut removes
    if (absl::Status status = CheckPlace(cut); !status.ok()) return status;
    if (plan_.cut_count == 0) truncation_ = absl::StrCat(Place(), NameOf(*stage_));
    plan_.cuts[plan_.cut_count++] = cut;
    plan_.rewrites |= Rewrites(cut.kind);
    plan_.stateful |= IsStateful(cut.kind);
    plan_.partial |= cut.partial;
    reshaped_ |= cut.kind == Cut::Kind::kDynamicTemperature || cut.kind == Cut::Kind::kSmooth;
    last_ = absl::StrCat(Place(), NameOf(*stage_));
    if (cut.kind == Cut::Kind::kCount && cut.ties == Ties::kSplit && cut.count <= kMaxTailFree) {
      short_ = true;
    }
    if (cut.kind == Cut::Kind::kAdaptive) temperature_ = 1;
    return absl::OkStatus();
  }

  // Whether a cut may stand where it does.
  absl::Status CheckPlace(const Cut& cut) const {
    if (plan_.stateful || plan_.partial) {
      return Refuse(absl::StrCat(" follows ", last_, ", which must be the last truncation"));
    }
    if (cut.kind == Cut::Kind::kTailFree && !short_) {
      return Refuse(
          absl::StrCat(" needs a top_k of at most ", kMaxTailFree,
                       " tokens before it, without tied ones: it works on sorted tokens"));
    }
    if (cut.kind == Cut::Kind::kAdaptive && reshaped_) {
      return Refuse(
          " follows dynamic_temperature or smoothing; it needs logits as the edits left them");
    }
    if (cut.joint && plan_.rewrites) {
      return Refuse(
          ".joint is true; it must be false after a stage that rewrites logits or may remove the "
          "likeliest token");
    }
    if (cut.partial && (cut.boundary != Boundary::kReach || cut.ties != Ties::kSplit)) {
      return Refuse(
          ".partial is true; it must be false unless boundary is REACH and ties are SPLIT");
    }
    return absl::OkStatus();
  }

  absl::Status AddTemperature(const Temperature& stage) {
    if (plan_.stateful) return Refuse(absl::StrCat(" follows ", last_, ", which must be last"));
    if (stage.t == 0) {
      plan_.greedy = true;
      return absl::OkStatus();
    }
    if (plan_.partial) {
      return Refuse(absl::StrCat(" follows ", last_, ", whose partial weight is of its own scale"));
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
                                                     truncation_,
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
  std::string truncation_;  // the first one's place and name
  std::string last_;        // the last truncation's place and name
  double temperature_ = 1;  // product of those not turned into edits, of the draw
  double tempered_ = 1;     // likewise, of the tempered row
  bool reshaped_ = false;   // some cut gave the tokens left other logits
  bool short_ = false;      // a count has left few tokens
  float pending_[kMaxStages] = {};
  int pending_count_ = 0;
};

}  // namespace

absl::StatusOr<Plan> CompileChain(const Chain& chain) { return Compiler().Compile(chain); }

}  // namespace tessera

// What the stages that cut become in a plan, and where in a chain they may stand.
#ifndef TESSERA_KERNELS_PLAN_CUTS_H_
#define TESSERA_KERNELS_PLAN_CUTS_H_

#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/stages/stages.h"
#include "kernels/steps.h"

namespace tessera {

// Whether a stage becomes a cut: CutOf knows it.
template <class S, class = void>
struct IsCut : std::false_type {};
template <class S>
struct IsCut<S, std::void_t<decltype(CutOf(std::declval<const S&>(), 0.0f))>> : std::true_type {};

// The cuts of a chain so far: what they leave open to the next.
class PlannedCuts {
 public:
  // What is wrong with a cut as the next one, to follow its stage's name; empty if nothing is.
  std::string WhyNot(const Cut& cut, const Plan& plan) const {
    if (plan.stateful || plan.partial) {
      return absl::StrCat(" follows ", last_, ", which must be the last truncation");
    }
    if (cut.kind == Cut::Kind::kTailFree && !short_) {
      return absl::StrCat(" needs a top_k of at most ", kMaxTailFree,
                          " tokens before it, without tied ones: it works on sorted tokens");
    }
    if (cut.kind == Cut::Kind::kAdaptive && reshaped_) {
      return " follows dynamic_temperature or smoothing; it needs logits as the edits left them";
    }
    if (cut.joint && plan.rewrites) {
      return ".joint is true; it must be false after a stage that rewrites logits or may remove "
             "the likeliest token";
    }
    if (cut.partial && (cut.boundary != Boundary::kReach || cut.ties != Ties::kSplit)) {
      return ".partial is true; it must be false unless boundary is REACH and ties are SPLIT";
    }
    return "";
  }

  // `stage` is its place and name.
  void Add(const Cut& cut, std::string stage, Plan* plan) {
    if (plan->cut_count == 0) first_ = stage;
    last_ = std::move(stage);
    plan->cuts[plan->cut_count++] = cut;
    plan->rewrites |= Rewrites(cut.kind);
    plan->stateful |= IsStateful(cut.kind);
    plan->partial |= cut.partial;
    reshaped_ |= Reshapes(cut.kind);
    short_ |=
        cut.kind == Cut::Kind::kCount && cut.ties == Ties::kSplit && cut.count <= kMaxTailFree;
  }

  const std::string& first() const { return first_; }
  const std::string& last() const { return last_; }

 private:
  // Gives the tokens left other logits.
  static bool Reshapes(Cut::Kind kind) {
    return kind == Cut::Kind::kDynamicTemperature || kind == Cut::Kind::kSmooth;
  }

  // Rewrites logits or may remove the first key. Each of them may move another key to its place:
  // of two logits that differ, smoothing and dynamic temperature may make equal ones.
  static bool Rewrites(Cut::Kind kind) {
    return kind == Cut::Kind::kTypical || kind == Cut::Kind::kExcludeTop ||
           kind == Cut::Kind::kAdaptive || Reshapes(kind);
  }

  static bool IsStateful(Cut::Kind kind) {
    return kind == Cut::Kind::kMirostatV1 || kind == Cut::Kind::kMirostatV2 ||
           kind == Cut::Kind::kAdaptive;
  }

  std::string first_;      // place and name of the first one's stage
  std::string last_;       // likewise
  bool reshaped_ = false;  // some cut gave the tokens left other logits
  bool short_ = false;     // a count has left few tokens
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_PLAN_CUTS_H_

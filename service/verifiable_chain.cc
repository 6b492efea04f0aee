#include "service/verifiable_chain.h"

#include "absl/strings/str_cat.h"
#include "kernels/describe_stage.h"

namespace tessera {
namespace {

// What about a plan cannot be verified; empty where all can.
absl::string_view Fault(const Plan& plan) {
  if (plan.stateful) return "has a state that every draw changes";
  if (plan.rewrites) return "rewrites the row, or removes its top";
  if (plan.partial) return "leaves its last token a part of its weight";
  if (plan.sorted_draw || plan.generator != Generator::kPhilox) {
    return "says how to draw, which here the method does";
  }
  return "";
}

}  // namespace

absl::Status CheckVerifiable(const DecodedChain& chain) {
  const absl::string_view fault = Fault(*chain.plan);
  if (fault.empty()) return absl::OkStatus();
  for (size_t i = 0; i < chain.chain.stages.size(); ++i) {
    const Stage& stage = chain.chain.stages[i];
    const absl::StatusOr<Plan> alone = CompileChain({{stage}});
    // A stage that does not stand alone (tail-free after its top-k) is judged by its effect.
    const bool at_fault =
        alone.ok() ? !Fault(*alone).empty() : DescribeStage(stage).effect == StageEffect::kRewrite;
    if (!at_fault) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "stages[", i, "] (", DescribeStage(stage).name, ") ", alone.ok() ? Fault(*alone) : fault,
        "; VerifyDrafts takes edits, temperature and cuts from below"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the chain ", fault, "; VerifyDrafts takes edits, temperature and cuts from below"));
}

}  // namespace tessera

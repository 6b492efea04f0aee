// From a chain to what will run for it: checked, no-ops dropped.
#ifndef TESSERA_KERNELS_PLAN_H_
#define TESSERA_KERNELS_PLAN_H_

#include "absl/status/statusor.h"
#include "kernels/chain.h"
#include "kernels/steps.h"

namespace tessera {

// InvalidArgument names the stage, the value and what would be accepted:
// "stages[1].top_p.p is 1.5; it must be in [0, 1]".
absl::StatusOr<Plan> CompileChain(const Chain& chain);

}  // namespace tessera

#endif  // TESSERA_KERNELS_PLAN_H_

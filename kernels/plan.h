// What will run for a chain: checked, no-ops dropped, in a form small enough to copy to a device.
#ifndef TESSERA_KERNELS_PLAN_H_
#define TESSERA_KERNELS_PLAN_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "kernels/chain.h"
#include "kernels/stages/cut.h"

namespace tessera {

// One step of the edit of a logit y, a binary32 operation rounded to nearest (docs/numerics.md 1).
struct Edit {
  enum class Kind : uint8_t {
    kBias,        // y + bias[id]
    kRepetition,  // seen in scope: y > 0 ? y / value : y * value
    kFrequency,   // y - value * count in scope (the product rounded first)
    kPresence,    // y - value where seen in scope
    kScale,       // y * value on every id: a temperature that an edit follows
  };
  Kind kind;
  PenaltyScope scope;
  float value;
};

struct Plan {
  Edit edits[kMaxStages];
  Cut cuts[kMaxStages];
  int32_t edit_count = 0;
  int32_t cut_count = 0;
  bool greedy = false;       // a temperature of 0 or a greedy stage: the support is its first key,
                             // which no cut changes, so there are none
  bool uses_bias = false;    // some edit reads the row's bias
  bool uses_counts = false;  // some edit reads the row's history
  double temperature = 1;    // of the draw; 1 when greedy
  float c = 0;               // log2(e) / temperature
};

// InvalidArgument names the stage, the value and what would be accepted:
// "stages[1].top_p.p is 1.5; it must be in [0, 1]".
absl::StatusOr<Plan> CompileChain(const Chain& chain);

}  // namespace tessera

#endif  // TESSERA_KERNELS_PLAN_H_

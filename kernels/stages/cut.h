// Where a truncation ends the support: after a count, after a mass, or at a weight.
//
// Every truncation keeps an interval of the order "larger logit first, then lower id"
// (docs/numerics.md 2); a stage only says where to cut it.
#ifndef TESSERA_KERNELS_STAGES_CUT_H_
#define TESSERA_KERNELS_STAGES_CUT_H_

#include <cstdint>

namespace tessera {

struct Cut {
  enum class Kind : uint8_t {
    kCount,        // the first `count` keys
    kMass,         // the smallest prefix whose weight reaches ceil(value * W)
    kWeightOfMax,  // keys whose weight is at least ceil(value * w_max)
  };
  Kind kind = Kind::kCount;
  bool joint = false;  // kMass: W is the mass before any truncation, not what is left
  uint32_t count = 0;  // kCount: >= 1
  float c = 0;         // kMass, kWeightOfMax: log2(e) / T where the cut stands in the chain
  double value = 0;    // kMass: in [0, 1). kWeightOfMax: in (0, 1]
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_CUT_H_

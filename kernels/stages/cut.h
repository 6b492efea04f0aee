// What a stage after the edits does to the support: cuts it, or rewrites what is left of the row.
//
// A truncation keeps an interval of the order "larger logit first, then lower id"
// (docs/numerics.md 2); a stage only says where to cut it. A rewriting stage gives every token left
// a new logit; what is cut is then -inf, and the row goes on from there.
#ifndef TESSERA_KERNELS_STAGES_CUT_H_
#define TESSERA_KERNELS_STAGES_CUT_H_

#include <cstdint>

namespace tessera {

// What becomes of tokens that have the same logit as the last one kept.
enum class Ties : uint8_t {
  kSplit,  // lower ids are kept, up to the count or the mass
  kWhole,  // all of them are kept; with kWithin all or none: prefixes are of whole ties
};

// Where a mass ends. W is the weight of the support, p a share of it.
enum class Boundary : uint8_t {
  kReach,   // the smallest prefix that weighs at least p * W
  kExceed,  // the smallest prefix that weighs more than p * W
  kWithin,  // the largest prefix that weighs at most p * W; never empty
};

struct Cut {
  enum class Kind : uint8_t {
    kCount,               // the first `count` keys
    kMass,                // a prefix by its weight: value, boundary, joint
    kWeightOfMax,         // keys whose weight is at least ceil(value * w_max)
    kShare,               // keys whose weight is at least ceil(value * W), and the likeliest
    kTopA,                // kShare with value * w_max^2 / W^2
    kEta,                 // kShare with min(value, sqrt(value) * e^-H), H the entropy in nats
    kTypical,             // the mass nearest to the entropy: value, boundary
    kSpread,              // logits at most value standard deviations below the largest
    kTailFree,            // until the second differences of the weights have reached value
    kExcludeTop,          // all but the last key of weight >= ceil(value * W), if the coin says so
    kDynamicTemperature,  // rewrites: (y - y_max) / T', T' from low, high by entropy
    kSmooth,              // rewrites: y_max + f d^2 (s d - k), d = y - y_max
    kMirostatV1,          // a count from the row's state
    kMirostatV2,          // a share from the row's state
    kAdaptive,            // rewrites: 5 - 10 x^2 / (1 + x) from the row's state
  };
  Kind kind = Kind::kCount;
  Ties ties = Ties::kSplit;              // kCount, kMass
  Boundary boundary = Boundary::kReach;  // kMass, kTypical
  bool joint = false;    // kMass: W is the mass before any truncation, not what is left
  bool partial = false;  // kMass: the last key keeps only the weight that the prefix needs of it
  uint32_t count = 0;    // kCount: >= 1
  float c = 0;           // log2(e) / T where the cut stands in the chain
  double value = 0;      // as the kinds say; kMass, kTypical: in [0, 1)
  double second = 0;  // the rewriting kinds' and mirostat's other parameters, as their stages say
  double third = 0;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_CUT_H_

// The steps of a plan: edits, cuts and the temperature of the draw, small enough to copy to a
// device.
#ifndef TESSERA_KERNELS_STEPS_H_
#define TESSERA_KERNELS_STEPS_H_

#include <cstdint>

#include "kernels/stages/cut.h"
#include "kernels/stages/draw_rule.h"
#include "kernels/stages/penalties.h"

namespace tessera {

inline constexpr int kMaxStages = 32;    // of a chain
inline constexpr int kMaxAdditions = 4;  // lists of additions that a row may carry

// One step of the edit of a logit y, a binary32 operation rounded to nearest (docs/numerics.md 1).
struct Edit {
  enum class Kind : uint8_t {
    kBias,        // y + bias[id]
    kRepetition,  // seen in scope: y > 0 ? y / value : y * value
    kFrequency,   // y - value * count in scope (the product rounded first)
    kPresence,    // y - value where seen in scope
    kScale,       // y * value on every id: a temperature that an edit follows
    kAddition,    // y + additions[list][id]: what a history stage makes of the row's past
    kGreen,       // y + value where the row's green bit is set
    kGuidance,    // fma(value, y - u, u), u the id's logit in the row's guidance row
  };
  Kind kind;
  PenaltyScope scope;
  float value;
  uint8_t list = 0;  // kAddition
};

struct Plan {
  Edit edits[kMaxStages];
  Cut cuts[kMaxStages];
  int32_t edit_count = 0;
  int32_t cut_count = 0;
  bool greedy = false;       // a temperature of 0 or a greedy stage: the first key that the cuts
                             // leave; without cuts where none of them can move it
  bool rewrites = false;     // some cut may rewrite what is left of the row, or remove its top
  bool stateful = false;     // the last cut reads the row's state; the draw moves it on
  bool partial = false;      // the last cut leaves its last key only a part of its weight; such a
                             // draw is sorted
  bool sorted_draw = false;  // the draw runs through the order, not through ids
  Generator generator = Generator::kPhilox;
  bool uses_bias = false;      // some edit reads the row's bias
  bool uses_counts = false;    // some edit reads the row's history
  bool uses_green = false;     // some edit reads the row's green list
  bool uses_guidance = false;  // some edit reads the row's guidance row
  int32_t additions = 0;       // lists of additions that edits read, numbered in the chain's order
  double temperature = 1;      // of the draw; 1 when greedy
  float c = 0;                 // log2(e) / temperature
  double tempered = 1;         // product of the temperatures after the edits; 1 when greedy
  float tempered_c = 0;        // log2(e) / tempered
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_STEPS_H_

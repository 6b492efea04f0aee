// Which tokens a cut must keep and which it may keep, by its published definition in long double.
#ifndef TESSERA_TESTS_SUPPORT_REAL_CUTS_H_
#define TESSERA_TESTS_SUPPORT_REAL_CUTS_H_

#include <optional>
#include <vector>

#include "tests/support/chain_steps.h"
#include "tests/support/edited_row.h"

namespace tessera::oracle {

struct Bounds {
  std::vector<bool> must;  // by place in the order before the cut
  std::vector<bool> may;
  long double mass = 0;  // what is kept must be at least as probable
};

// A prefix of at least `smallest` and at most `largest` of `size` tokens.
Bounds Prefix(size_t size, size_t smallest, size_t largest);

// Nothing for a stage that is no cut.
std::optional<Bounds> BoundsOf(const Stage& stage, const Step& before, const EditedRow& edited,
                               const RowInput& row);

// The weight of the last token that a partial top-p keeps, relative to the likeliest's, and how far
// off it may be. `size` tokens are kept.
struct RealPartial {
  long double weight;
  long double tolerance;
};
RealPartial PartialOf(const TopP& stage, const Step& before, const EditedRow& edited, size_t size);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_REAL_CUTS_H_

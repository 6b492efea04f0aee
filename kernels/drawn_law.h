// A row's law in integers: what tokens were drawn from, small enough to keep. With it a later pass
// over the row weighs any of its ids without narrowing anew.
#ifndef TESSERA_KERNELS_DRAWN_LAW_H_
#define TESSERA_KERNELS_DRAWN_LAW_H_

#include <cstdint>

#include "kernels/types.h"

namespace tessera {

// Speaks of the logits after masks and edits. An id of logit y is of the support where its token
// key (kernels/math/key.h) lies in [lo, hi]; it then weighs WeightOf({y_max, c}, y), at most 2^44
// (docs/numerics.md 3), and its probability is that over `total`.
struct DrawnLaw {
  // The support, as token keys; lo > hi: none. Ends may lie beyond its keys: executors choose.
  uint64_t lo = 1;
  uint64_t hi = 0;
  float y_max = 0;     // the support's largest logit
  float c = 0;         // log2(e) / temperature
  uint64_t total = 0;  // W, the support's weight; 0: the row has no law
  // Of the weight of the key `lo`, where the plan is partial; `total` is without it.
  uint64_t missing = 0;
};

// One id of a law, with its integer weight.
struct WeightedId {
  TokenId id;
  uint64_t weight;  // in [0, 2^44]
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_DRAWN_LAW_H_

// What sampling costs when it is written the obvious way: sort (logit, id) pairs, then float loops.
#ifndef TESSERA_BENCH_SORT_BASELINE_H_
#define TESSERA_BENCH_SORT_BASELINE_H_

#include <cstdint>

#include "kernels/types.h"

namespace tessera::bench {

// One token from softmax(logits) under top-k and then top-p; u in [0, 1).
TokenId SortAndSample(const LogitsView& logits, int64_t row, int k, float p, float u);

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_SORT_BASELINE_H_

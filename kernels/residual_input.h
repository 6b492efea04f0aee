// What a rejected draft leaves of a target law, max(A * P_v - B * Q_v, 0) over all ids v: summed,
// and drawn from. P and Q are the integer weights of target and draft after their own chains
// (docs/numerics.md 6).
#ifndef TESSERA_KERNELS_RESIDUAL_INPUT_H_
#define TESSERA_KERNELS_RESIDUAL_INPUT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "kernels/drawn_law.h"
#include "kernels/math/wide.h"
#include "kernels/row_input.h"
#include "kernels/types.h"

namespace tessera {

inline constexpr uint32_t kMaxExcludedIds = 256;

// A row and the law that Run found for it. Neither plan may rewrite the row, be partial or carry a
// state: their logits after edits are all there is to weigh.
struct LawOfRow {
  const RowInput* row = nullptr;  // null: no such side
  DrawnLaw law;
};

// Whoever builds it has checked it, as with RowInput. Spans must outlive the call.
struct ResidualInput {
  LawOfRow target;  // law.total > 0

  // Q: a row of the draft's logits, or a list, or nothing (then `b` is not looked at).
  LawOfRow draft;
  absl::Span<const WeightedId> sparse;  // distinct ids, ascending; weights at most 2^44

  uint64_t a = 1;  // A, in [1, 2^63)
  uint64_t b = 0;  // B, in [0, 2^63)

  absl::Span<const TokenId> excluded;  // ids whose residual is 0: at most kMaxExcludedIds

  bool draw = false;
  U128 word;  // random; the token is the first in id order whose inclusive residual exceeds
              // floor(word * total / 2^128)
};

struct ResidualResult {
  U128 total;          // of the residual; below 2^127
  TokenId token = -1;  // where a draw was wanted and total > 0
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_RESIDUAL_INPUT_H_

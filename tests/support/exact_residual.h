// Residuals max(A * P_v - B * Q_v, 0) by their definition: plain loops over all ids, and long
// multiplication for the draw.
#ifndef TESSERA_TESTS_SUPPORT_EXACT_RESIDUAL_H_
#define TESSERA_TESTS_SUPPORT_EXACT_RESIDUAL_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "kernels/types.h"
#include "tests/support/exact_arithmetic.h"
#include "tests/support/exact_law.h"
#include "tests/support/row_spec.h"

namespace tessera::oracle {

// What a row is drawn from; nothing where it cannot be sampled.
std::optional<ExactLaw> LawOfRow(const testing::RowSpec& row, int64_t vocab_size);

// The law's weights by id, 0 outside the support.
std::vector<uint64_t> WeightsById(const ExactLaw& law, int64_t vocab_size);

struct ExactResidual {
  std::vector<Uint128> by_id;
  Uint128 total = 0;

  // The first id whose inclusive residual exceeds floor(word * total / 2^128). REQUIRES: total > 0.
  TokenId Draw(Uint128 word) const;
};

// REQUIRES: `a` and `b` are below 2^63; p and q have the same length.
ExactResidual ResidualOf(uint64_t a, absl::Span<const uint64_t> p, uint64_t b,
                         absl::Span<const uint64_t> q, absl::Span<const TokenId> excluded);

// floor(a * b / 2^128).
Uint128 MulHigh128(Uint128 a, Uint128 b);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_EXACT_RESIDUAL_H_

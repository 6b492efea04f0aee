// The first half of the oracle: masks, edits and the order, read off their definitions.
//
// Everything under tests/support is written from docs/numerics.md and includes no code of
// kernels/ beyond the interfaces, so that it can judge that code.
#ifndef TESSERA_TESTS_SUPPORT_EDITED_ROW_H_
#define TESSERA_TESTS_SUPPORT_EDITED_ROW_H_

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "kernels/backend.h"
#include "kernels/chain.h"
#include "tests/support/past_edits.h"

namespace tessera::oracle {

struct EditedRow {
  Outcome outcome = Outcome::kOk;
  std::vector<float> y;        // edited logits by id
  std::vector<TokenId> order;  // candidates: larger logit first, then lower id. kOk only.
};

// `logits` are the vocab_size received values, exactly converted. No stage may be an edit after a
// truncation. What history stages make of `past` is worked out here: row.additions and row.green
// are not looked at.
EditedRow Edited(absl::Span<const float> logits, const RowInput& row, const Chain& chain,
                 const Past& past = {});

// The received logits in order: every id that is not -inf and, with `grammar`, that it allows.
// Nothing when one of them is NaN or +inf.
std::optional<std::vector<TokenId>> ReceivedOrder(absl::Span<const float> logits,
                                                  const RowInput& row, bool grammar);

// A stage that changes nothing and that a plan leaves out.
bool IsNeutral(const Stage& stage);

// A stage that changes logits or bans ids, and cuts nothing.
bool IsEdit(const Stage& stage);

// True for a temperature that acts as an edit because a later stage is one that changes logits.
bool IsScaledEarly(const Chain& chain, size_t stage);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_EDITED_ROW_H_

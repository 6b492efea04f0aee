// The order of a row's tokens: larger logit first, then lower id. A cut keeps a run of it.
#ifndef TESSERA_SERVICE_TOKEN_ORDER_H_
#define TESSERA_SERVICE_TOKEN_ORDER_H_

#include <cstdint>
#include <vector>

#include "kernels/types.h"

namespace tessera {

// All candidates; ids at -inf are none. No logit is NaN.
std::vector<TokenId> OrderOf(const std::vector<float>& logits);

// The last of them, without sorting; -1 where there is none.
TokenId LastCandidate(const std::vector<float>& logits);

// Where a candidate stands in the order of its logits.
uint32_t PlaceIn(const std::vector<TokenId>& order, TokenId id, const std::vector<float>& logits);

}  // namespace tessera

#endif  // TESSERA_SERVICE_TOKEN_ORDER_H_

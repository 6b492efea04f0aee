#include "service/token_order.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

bool Before(const std::vector<float>& logits, TokenId a, TokenId b) {
  return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
}

}  // namespace

std::vector<TokenId> OrderOf(const std::vector<float>& logits) {
  std::vector<TokenId> order;
  for (size_t id = 0; id < logits.size(); ++id) {
    if (logits[id] != -HUGE_VALF) order.push_back(static_cast<TokenId>(id));
  }
  std::sort(order.begin(), order.end(), [&](TokenId a, TokenId b) { return Before(logits, a, b); });
  return order;
}

TokenId LastCandidate(const std::vector<float>& logits) {
  TokenId last = -1;
  for (size_t i = 0; i < logits.size(); ++i) {
    const auto id = static_cast<TokenId>(i);
    if (logits[i] != -HUGE_VALF && (last < 0 || Before(logits, last, id))) last = id;
  }
  return last;
}

uint32_t PlaceIn(const std::vector<TokenId>& order, TokenId id, const std::vector<float>& logits) {
  const auto place = std::lower_bound(order.begin(), order.end(), id,
                                      [&](TokenId a, TokenId b) { return Before(logits, a, b); });
  return static_cast<uint32_t>(place - order.begin());
}

}  // namespace tessera

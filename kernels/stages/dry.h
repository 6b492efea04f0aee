// DRY, "don't repeat yourself" (p-e-w 2024, as llama.cpp has it): a token that would go on with a
// repetition is the less likely the longer that repetition is.
//
// Of a window of ids x[0..n), the last last_n of prompt and output, let S(j) be the length of the
// longest common suffix of x[0..j) and x[0..n), 1 <= j < n, and L(t) the largest S(j) with
// x[j] = t. Where L(t) >= allowed_length,
//
//   y[t] - multiplier * base^(L(t) - allowed_length)
//
// A repetition does not reach back across a breaker: S(j) is at most the number of ids behind the
// breaker that starts last in the window (of several there, the longest). A token that is a breaker
// by itself is never penalised. The power is a product of doubles, factor by factor; where base >
// 1.000001 its exponent ends at floor(88.7228391 / ln(base)), a binary32 quotient with about the
// logarithm of the largest binary32 on top. The penalty is rounded to binary32; one that overflows
// bans the token.
#ifndef TESSERA_KERNELS_STAGES_DRY_H_
#define TESSERA_KERNELS_STAGES_DRY_H_

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/stages/refusal.h"
#include "kernels/stages/token_sequences.h"

namespace tessera {

inline constexpr size_t kMaxBreakerIds = 64;  // of one breaker: each is looked for everywhere

struct Dry {
  double multiplier = 0;        // in [0, binary32's largest]; 0 is off
  double base = 1.75;           // in [1, binary32's largest]
  uint32_t allowed_length = 2;  // ids that may repeat unpunished
  int32_t last_n = -1;          // length of the window; -1 is all of the history, 0 is off
  std::vector<TokenSequence> breakers = {};  // e.g. of a newline, a colon, a quote
};

inline Refusal Check(const Dry& stage) {
  const float multiplier = static_cast<float>(stage.multiplier);
  if (!(multiplier >= 0 && std::isfinite(multiplier))) {
    return {"dry.multiplier", stage.multiplier, "finite in binary32 and at least 0 (0 is off)"};
  }
  const float base = static_cast<float>(stage.base);
  if (!(base >= 1 && std::isfinite(base))) {
    return {"dry.base", stage.base, "finite in binary32 and at least 1"};
  }
  if (stage.last_n < -1) {
    return {"dry.last_n", static_cast<double>(stage.last_n),
            "at least -1 (-1 is all of the history, 0 is off)"};
  }
  for (size_t i = 0; i < stage.breakers.size(); ++i) {
    const size_t length = stage.breakers[i].size();
    if (length > kMaxBreakerIds) {
      return {"dry.breakers", static_cast<double>(length), "at most 64", static_cast<int64_t>(i),
              "its length"};
    }
  }
  return CheckSequences("dry.breakers", stage.breakers);
}

inline bool IsOff(const Dry& stage) {
  return static_cast<float>(stage.multiplier) == 0 || stage.last_n == 0;
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_DRY_H_

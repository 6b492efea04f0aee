#include "kernels/verification/lower_fraction.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kernels/verification/ratio.h"

namespace tessera {
namespace {

constexpr uint64_t kLimit = (uint64_t{1} << 63) - 1;

bool Fits(const U256& a) { return BitWidth(a) <= 63; }

// How often `step` can be added to `start` without leaving the limit.
uint64_t Room(uint64_t start, uint64_t step) {
  return step == 0 ? kLimit : (kLimit - start) / step;
}

Scalars ScaledUp(uint64_t a, uint64_t b) {
  const uint64_t factor = kLimit / std::max(a, b);
  return {a * factor, b * factor};
}

}  // namespace

// Walks the continued fraction of a / b. Its value always lies in [lower, upper); each partial
// quotient moves one of the two towards the other, in turn, as far as the limit allows.
Scalars LowerFraction(const U256& a, const U256& b) {
  if (Fits(a) && Fits(b)) return {a.words[0], b.words[0]};
  Scalars lower = {0, 1};
  Scalars upper = {1, 0};
  U256 numerator = a;
  U256 denominator = b;
  for (bool lower_moves = true;; lower_moves = !lower_moves) {
    const QuotientAndRest step = Divide(numerator, denominator);
    Scalars& moving = lower_moves ? lower : upper;
    const Scalars& other = lower_moves ? upper : lower;
    const uint64_t room = std::min(Room(moving.a, other.a), Room(moving.b, other.b));
    const bool all = step.quotient <= U256(room);
    const uint64_t count = all ? step.quotient.words[0] : room;
    moving = {moving.a + count * other.a, moving.b + count * other.b};
    if (!all) break;
    if (step.rest == U256()) return ScaledUp(moving.a, moving.b);  // a / b itself
    numerator = std::exchange(denominator, step.rest);
  }
  return lower.a == 0 ? Scalars{0, 1} : ScaledUp(lower.a, lower.b);
}

Scalars ResidualScalars(const U256& a, const U256& b) {
  const Scalars scalars = LowerFraction(a, b);
  return scalars.a == 0 ? Scalars{1, kLimit} : scalars;
}

}  // namespace tessera

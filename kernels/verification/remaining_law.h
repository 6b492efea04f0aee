// What is left of a position while its children are rejected, one after another: the running
// residual of multi-draft sampling, scaled by the probability of standing there.
#ifndef TESSERA_KERNELS_VERIFICATION_REMAINING_LAW_H_
#define TESSERA_KERNELS_VERIFICATION_REMAINING_LAW_H_

#include <cstdint>
#include <vector>

#include "kernels/math/wide.h"
#include "kernels/types.h"
#include "kernels/verification/decision.h"
#include "kernels/verification/draft_tree.h"
#include "kernels/verification/ratio.h"

namespace tessera {

// With pi the probability of the position and p' its target law, the measure m = pi * p' is kept as
//     m(v) = r(v) / T,   r(v) = max(A * P_v - B * Q_v, 0),   S = sum of r,   so that pi = S / T.
// Rejecting a child drawn from q' = Q / W_q' leaves max(m - q', 0), and pi becomes its sum over
// itself plus 1 - pi. In units of 1 / (T * W_q'):
//     A <- A * W_q',   B <- B * W_q' + T,   T <- S + (T - S) * W_q',   the new S on the right;
// without replacement then W_q' <- W_q' - Q_x. T stays S where pi is 1.
//
// A : B is rounded down where it leaves 63 bits (lower_fraction.h), and T counts in the units of
// the rounded A. A rejected token has r = 0 from then on without being named, as A : B only falls.
// Under a one-hot law, where each child has a law of its own, rejected ids are named instead, and A
// stays.
class RemainingLaw {
 public:
  // `tree` must outlive it. REQUIRES: pi <= 1, not negligible
  // (measure.h); the position has children.
  RemainingLaw(const DraftTree& tree, uint32_t position, const Ratio& pi);

  // pi, at most 1.
  Ratio Chance() const;

  // min(1, m(x) / q'(x)) of a child; 0 where it cannot have been drawn.
  Ratio ChanceOf(uint32_t node) const;

  // What would be left without this child, and, once its total is known, that it is so.
  ResidualAsk Without(uint32_t node) const;
  void Reject(uint32_t node, const ResidualAsk& without, const U128& total);

 private:
  bool IsExcluded(TokenId token) const;

  const DraftTree* tree_;
  uint32_t position_;
  bool one_hot_;
  uint64_t draft_total_;  // W_q'
  uint64_t a_ = 1;
  uint64_t b_ = 0;
  U128 sum_;   // S
  U128 unit_;  // T, below 2^128
  std::vector<TokenId> excluded_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_REMAINING_LAW_H_

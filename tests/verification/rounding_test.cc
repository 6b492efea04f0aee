// Weights of the sampler's size, where scalars no longer fit: the law stays within the stated bound
// of the target's (docs/numerics.md 6), whatever the two laws weigh.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "kernels/verification/methods.h"
#include "tests/verification/enumerate.h"

namespace tessera::testing {
namespace {

struct Pair {
  std::string name;
  Model target;
  Model draft;

  friend void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }
};

class Rounding : public ::testing::TestWithParam<Pair> {
 protected:
  Drafting Drafts(const std::vector<int>& widths, bool without_replacement = false) const {
    return {GetParam().target, GetParam().draft, widths, without_replacement};
  }

  // 2^-61 for each node of the tree, and what enumerating rounds away.
  void ExpectWithinBound(const Drafting& drafting, const Method& method) const {
    uint64_t nodes = 0;
    uint64_t positions = 1;
    for (const int width : drafting.widths) nodes += positions *= static_cast<uint64_t>(width);
    const Fraction error = ErrorOf(EmittedLaw(drafting, method), drafting);
    EXPECT_LE(error, Fraction(nodes) * PowerOfHalf(61) + PowerOfHalf(500));
  }
};

TEST_P(Rounding, TokenIsExact) {
  for (const int gamma : {1, 2}) {
    const Drafting drafting = Drafts(std::vector<int>(gamma, 1));
    EXPECT_LE(ErrorOf(EmittedLaw(drafting, VerifyToken), drafting), PowerOfHalf(500));
  }
}

TEST_P(Rounding, Block) {
  for (const int gamma : {1, 2, 3})
    ExpectWithinBound(Drafts(std::vector<int>(gamma, 1)), VerifyBlock);
}

TEST_P(Rounding, Tree) {
  for (const bool without_replacement : {false, true}) {
    ExpectWithinBound(Drafts({2}, without_replacement), VerifyTree);
    ExpectWithinBound(Drafts({3}, without_replacement), VerifyTree);
    ExpectWithinBound(Drafts({2, 1}, without_replacement), VerifyTree);
  }
}

TEST_P(Rounding, Traversal) {
  for (const bool without_replacement : {false, true}) {
    ExpectWithinBound(Drafts({2}, without_replacement), VerifyTraversal);
    ExpectWithinBound(Drafts({3}, without_replacement), VerifyTraversal);
    ExpectWithinBound(Drafts({1, 2}, without_replacement), VerifyTraversal);
    ExpectWithinBound(Drafts({2, 1}, without_replacement), VerifyTraversal);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Rounding,
                         ::testing::Values(Pair{"Wide", WideTarget, WideDraft},
                                           Pair{"SmallDraft", WideTarget, PublishedDraft},
                                           Pair{"Dust", WideTarget, DustyDraft},
                                           Pair{"DustyTarget", DustyDraft, WideDraft},
                                           Pair{"Opposite", OppositeTarget, PublishedDraft},
                                           Pair{"OppositeDust", DustyTarget, DustyDraft}),
                         [](const auto& tested) { return tested.param.name; });

// Several tokens are left after each rejection.
TEST(RoundingOfSiblings, StaysWithinTheBoundAndIsSeen) {
  const auto weights = [](std::vector<double> shares) {
    Weights result;
    for (const double share : shares) result.push_back(static_cast<uint64_t>(share * 0x1p44));
    return [result](const Tokens&) { return result; };
  };
  const Drafting drafting{weights({0.91, 0.83, 1, 0.77, 0.011, 0.023}),
                          weights({0.13, 0.21, 0.37, 0.11, 1, 0.93}),
                          {3},
                          true};
  for (const Method method : {VerifyTree, VerifyTraversal}) {
    const Fraction error = ErrorOf(EmittedLaw(drafting, method), drafting);
    EXPECT_LE(error, Fraction(3) * PowerOfHalf(61));
    EXPECT_LT(Fraction(0), error);
  }
}

}  // namespace
}  // namespace tessera::testing

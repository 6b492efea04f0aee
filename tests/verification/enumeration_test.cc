// Proof by enumeration: over all drafts, coins and draws, what each lossless method emits, carried
// on by the target, is the target's law as fractions; and the number of tokens is the published
// one.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "kernels/verification/methods.h"
#include "tests/verification/enumerate.h"

namespace tessera::testing {
namespace {

const Fraction kExact = 0;

// Pairs of models, and both of them truncated.
struct Pair {
  std::string name;
  Model target;
  Model draft;

  friend void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }
};

std::vector<Pair> Pairs() {
  return {
      {"Published", PublishedTarget, PublishedDraft},
      {"PublishedTruncated", Truncated(PublishedTarget), Truncated(PublishedDraft)},
      {"TargetTruncated", Truncated(PublishedTarget), PublishedDraft},
      {"FourTokens", FourTokenTarget, FourTokenDraft},
      {"FourTokensTruncated", Truncated(FourTokenTarget), Truncated(FourTokenDraft)},
  };
}

class Enumeration : public ::testing::TestWithParam<Pair> {
 protected:
  Drafting Chain(int gamma) const {
    return {GetParam().target, GetParam().draft, std::vector<int>(gamma, 1)};
  }
  Drafting Tree(const std::vector<int>& widths, bool without_replacement) const {
    return {GetParam().target, GetParam().draft, widths, without_replacement};
  }
};

void ExpectLossless(const Drafting& drafting, const Method& method) {
  EXPECT_EQ(ErrorOf(EmittedLaw(drafting, method), drafting), kExact);
}

TEST_P(Enumeration, TokenIsLossless) {
  for (const int gamma : {0, 1, 2, 3}) ExpectLossless(Chain(gamma), VerifyToken);
}

TEST_P(Enumeration, BlockIsLosslessAndNeverShorter) {
  for (const int gamma : {0, 1, 2, 3}) {
    const Law block = EmittedLaw(Chain(gamma), VerifyBlock);
    EXPECT_EQ(ErrorOf(block, Chain(gamma)), kExact);
    EXPECT_LE(MeanLength(EmittedLaw(Chain(gamma), VerifyToken)), MeanLength(block));
  }
}

TEST_P(Enumeration, TreeIsLossless) {
  for (const std::vector<int>& widths :
       std::vector<std::vector<int>>{{1}, {2}, {3}, {1, 1}, {2, 1}, {2, 2}, {3, 1}}) {
    ExpectLossless(Tree(widths, false), VerifyTree);
    ExpectLossless(Tree(widths, true), VerifyTree);
  }
}

TEST_P(Enumeration, TraversalIsLossless) {
  for (const std::vector<int>& widths :
       std::vector<std::vector<int>>{{1}, {2}, {3}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 1}}) {
    ExpectLossless(Tree(widths, false), VerifyTraversal);
    ExpectLossless(Tree(widths, true), VerifyTraversal);
  }
}

TEST_P(Enumeration, TraversalOfAChainIsBlock) {
  for (const int gamma : {0, 1, 2, 3}) {
    EXPECT_EQ(EmittedLaw(Chain(gamma), VerifyTraversal), EmittedLaw(Chain(gamma), VerifyBlock));
  }
}

TEST_P(Enumeration, TreeOfAChainIsToken) {
  for (const int gamma : {0, 1, 2, 3}) {
    EXPECT_EQ(EmittedLaw(Chain(gamma), VerifyTree), EmittedLaw(Chain(gamma), VerifyToken));
  }
}

// The draft law is not looked at, so any drafts do: drawn or not, repeated or not.
TEST_P(Enumeration, TargetOnlyIsLossless) {
  for (const std::vector<int>& widths :
       std::vector<std::vector<int>>{{1}, {2}, {1, 1}, {2, 1}, {2, 2}, {3, 1}}) {
    ExpectLossless(Tree(widths, false), VerifyTargetOnly);
    ExpectLossless(Tree(widths, true), VerifyTargetOnly);
  }
}

TEST_P(Enumeration, OneHotDraftsAreLossless) {
  Drafting drafting = Chain(2);
  for (const TokenId first : {0, 1, 2}) {
    for (const TokenId second : {0, 1, 2}) {
      drafting.widths = {1, 1};
      drafting.proposed = [=](const Tokens& context) -> Tokens {
        return {context.empty() ? first : second};
      };
      for (const Method method : {VerifyToken, VerifyBlock, VerifyTree, VerifyTraversal}) {
        ExpectLossless(drafting, method);
      }
      drafting.widths = {2, 2};  // siblings, perhaps twice the same
      drafting.proposed = [=](const Tokens& context) -> Tokens {
        return context.empty() ? Tokens{first, second} : Tokens{second, first};
      };
      for (const Method method : {VerifyTree, VerifyTraversal, VerifyTargetOnly}) {
        ExpectLossless(drafting, method);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Enumeration, ::testing::ValuesIn(Pairs()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace tessera::testing

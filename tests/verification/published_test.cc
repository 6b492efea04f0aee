// Expected numbers of tokens and emitted laws that were published for these methods, or worked out
// elsewhere by other programs, as fractions.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/verification/methods.h"
#include "tests/verification/enumerate.h"

namespace tessera::testing {
namespace {

// What two drafts emit, by its digits.
const std::map<std::string, std::string> kTokenLaw = {
    {"0", "3/10"},    {"000", "1/400"}, {"001", "1/200"}, {"002", "1/80"},  {"01", "3/50"},
    {"010", "1/75"},  {"011", "1/75"},  {"012", "1/30"},  {"020", "9/500"}, {"021", "3/250"},
    {"022", "3/100"}, {"100", "2/75"},  {"101", "2/75"},  {"102", "1/15"},  {"11", "3/50"},
    {"110", "9/500"}, {"111", "3/250"}, {"112", "3/100"}, {"120", "6/275"}, {"121", "3/275"},
    {"122", "3/110"}, {"21", "1/20"},   {"210", "1/55"},  {"211", "1/110"}, {"212", "1/44"},
    {"22", "1/20"},   {"220", "1/48"},  {"221", "1/120"}, {"222", "1/48"}};

const std::map<std::string, std::string> kBlockLaw = {
    {"0", "3/10"},    {"000", "1/400"}, {"001", "1/200"}, {"002", "1/80"},  {"01", "3/50"},
    {"010", "1/75"},  {"011", "1/75"},  {"012", "1/30"},  {"020", "9/500"}, {"021", "3/250"},
    {"022", "3/100"}, {"100", "2/75"},  {"101", "2/75"},  {"102", "1/15"},  {"11", "1/50"},
    {"110", "3/100"}, {"111", "1/50"},  {"112", "1/20"},  {"120", "6/275"}, {"121", "3/275"},
    {"122", "3/110"}, {"21", "1/40"},   {"210", "3/110"}, {"211", "3/220"}, {"212", "3/88"},
    {"22", "1/40"},   {"220", "1/32"},  {"221", "1/80"},  {"222", "1/32"}};

Law Parsed(const std::map<std::string, std::string>& written) {
  Law law;
  for (const auto& [digits, probability] : written) {
    Tokens tokens;
    for (const char digit : digits) tokens.push_back(digit - '0');
    law[tokens] = ParseFraction(probability);
  }
  return law;
}

Drafting Published(const std::vector<int>& widths, bool without_replacement = false) {
  return {PublishedTarget, PublishedDraft, widths, without_replacement};
}

Fraction PublishedMean(const Method& method, const std::vector<int>& widths,
                       bool without_replacement = false) {
  return MeanLength(EmittedLaw(Published(widths, without_replacement), method));
}

TEST(PublishedTokens, OfTokenAndBlock) {
  EXPECT_EQ(PublishedMean(VerifyToken, {1}), ParseFraction("17/10"));
  EXPECT_EQ(PublishedMean(VerifyToken, {1, 1}), ParseFraction("109/50"));
  EXPECT_EQ(PublishedMean(VerifyToken, {1, 1, 1}), ParseFraction("319111/126000"));
  EXPECT_EQ(PublishedMean(VerifyBlock, {1}), ParseFraction("17/10"));
  EXPECT_EQ(PublishedMean(VerifyBlock, {1, 1}), ParseFraction("227/100"));
  EXPECT_EQ(PublishedMean(VerifyBlock, {1, 1, 1}), ParseFraction("6031/2200"));
}

TEST(PublishedTokens, OfTheBlockPapersExample) {
  const Model target = [](const Tokens&) { return Weights{1, 2}; };
  const Model draft = [](const Tokens&) { return Weights{2, 1}; };
  const Drafting drafting{target, draft, {1, 1}};
  EXPECT_EQ(MeanLength(EmittedLaw(drafting, VerifyToken)), Fraction(1) + ParseFraction("10/9"));
  EXPECT_EQ(MeanLength(EmittedLaw(drafting, VerifyBlock)), Fraction(1) + ParseFraction("11/9"));
}

TEST(PublishedTokens, OfSeveralDraftsAtOnePosition) {
  const Fraction one = 1;
  EXPECT_EQ(PublishedMean(VerifyTree, {1}), one + ParseFraction("7/10"));
  EXPECT_EQ(PublishedMean(VerifyTree, {2}), one + ParseFraction("19/25"));
  EXPECT_EQ(PublishedMean(VerifyTree, {3}), one + ParseFraction("101/125"));
  EXPECT_EQ(PublishedMean(VerifyTree, {1}, true), one + ParseFraction("7/10"));
  EXPECT_EQ(PublishedMean(VerifyTree, {2}, true), one + ParseFraction("283/350"));
  EXPECT_EQ(PublishedMean(VerifyTree, {3}, true), one + ParseFraction("1"));
}

TEST(PublishedTokens, OfTraversal) {
  EXPECT_EQ(PublishedMean(VerifyTraversal, {2}, true), ParseFraction("633/350"));
  EXPECT_EQ(PublishedMean(VerifyTraversal, {1, 1}, true), ParseFraction("227/100"));
  EXPECT_EQ(PublishedMean(VerifyTraversal, {2, 1}, true), ParseFraction("8591/3500"));
  EXPECT_EQ(PublishedMean(VerifyTraversal, {2, 2}, true), ParseFraction("31439/12250"));
  EXPECT_EQ(PublishedMean(VerifyTraversal, {3, 1}, true), ParseFraction("139/50"));
}

TEST(PublishedTokens, OfPromptLookup) {
  Drafting drafting = Published({1, 1});
  drafting.proposed = [](const Tokens& context) { return Tokens{context.empty() ? 0 : 1}; };
  EXPECT_EQ(MeanLength(EmittedLaw(drafting, VerifyToken)), ParseFraction("9/5"));
}

TEST(PublishedTokens, OfTargetOnlySiblings) {
  Drafting drafting = Published({2});
  drafting.proposed = [](const Tokens&) { return Tokens{1, 0}; };
  Law first;
  for (const auto& [tokens, probability] : EmittedLaw(drafting, VerifyTargetOnly)) {
    first[{tokens[0]}] += probability;
  }
  const Law expected = {
      {{0}, ParseFraction("1/2")}, {{1}, ParseFraction("3/10")}, {{2}, ParseFraction("1/5")}};
  EXPECT_EQ(first, expected);
}

TEST(PublishedLaws, OfTokenAndBlock) {
  EXPECT_EQ(EmittedLaw(Published({1, 1}), VerifyToken), Parsed(kTokenLaw));
  EXPECT_EQ(EmittedLaw(Published({1, 1}), VerifyBlock), Parsed(kBlockLaw));
}

}  // namespace
}  // namespace tessera::testing

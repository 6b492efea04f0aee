// Every stage in words: what a reader of ExplainChain is told.
#include "kernels/describe_stage.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>

namespace tessera {
namespace {

TEST(DescribeStage, RulesCarryTheirNumbers) {
  const struct {
    Stage stage;
    const char* rule;
  } cases[] = {
      {Temperature{.t = 0.7},
       "temperature 0.7: divides logits by 0.7, which makes the law sharper"},
      {Temperature{.t = 0}, "temperature 0 is greedy: keeps the largest logit alone"},
      {TopK{.k = 50}, "top-k 50: the 50 largest logits; ties split by lower id"},
      {TopK{.k = 50, .ties = Ties::kWhole},
       "top-k 50: the 50 largest logits and all tied with the last of them are kept"},
      {TopP{.p = 0.9},
       "top-p 0.9: the smallest prefix whose probability reaches 0.9; ties split by lower id"},
      {TopP{.p = 0.9, .boundary = Boundary::kExceed},
       "top-p 0.9: the smallest prefix whose probability exceeds 0.9; ties split by lower id"},
      {TopP{.p = 0.9f},  // all digits of a number that is not what it seems
       "top-p 0.8999999761581421: the smallest prefix whose probability reaches "
       "0.8999999761581421; ties split by lower id"},
      {MinP{.m = 0.05}, "min-p 0.05: tokens at least 0.05 times as likely as the likeliest"},
      {Xtc{.probability = 0.5, .threshold = 0.1},
       "xtc 0.1: with probability 0.5 removes all but the least likely of the tokens whose "
       "probability is at least 0.1"},
  };
  for (const auto& c : cases) EXPECT_EQ(DescribeStage(c.stage).rule, c.rule);
}

// Visits a default-made stage of every kind.
template <size_t kind = 0, class Visit>
void ForEachStage(const Visit& visit) {
  if constexpr (kind < std::variant_size_v<Stage>) {
    visit(Stage(std::in_place_index<kind>));
    ForEachStage<kind + 1>(visit);
  }
}

TEST(DescribeStage, EveryStageHasItsOwnWordsAndCutsTellTheirRules) {
  std::set<std::string> names, rules;
  ForEachStage([&](const Stage& stage) {
    const StageWords words = DescribeStage(stage);
    EXPECT_TRUE(names.insert(words.name).second) << words.name;
    EXPECT_TRUE(rules.insert(words.rule).second) << words.rule;
    EXPECT_FALSE(words.rule.empty()) << words.name;
    const bool cut = words.effect == StageEffect::kCut;
    EXPECT_EQ(words.ties.empty(), !cut) << words.name;
    EXPECT_EQ(words.boundary.empty(), !cut) << words.name;
  });
  EXPECT_EQ(names.size(), std::variant_size_v<Stage>);
}

TEST(DescribeStage, SaysWhatIsOff) {
  EXPECT_TRUE(DescribeStage(TopP{.p = 1}).off);
  EXPECT_EQ(DescribeStage(TopP{.p = 1}).rule, "top-p 1: off");
  EXPECT_FALSE(DescribeStage(TopP{.p = 0.5}).off);
  EXPECT_TRUE(DescribeStage(Temperature{.t = 1}).off);
  EXPECT_EQ(DescribeStage(Temperature{.t = 0}).effect, StageEffect::kCut);
  EXPECT_EQ(DescribeStage(Temperature{.t = 2}).effect, StageEffect::kMeasure);
}

}  // namespace
}  // namespace tessera

// CompileChain: what a chain becomes, and what is refused in which words.
#include "kernels/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/compiled_chain.h"

namespace tessera {
namespace {

constexpr double kLog2E = 1.4426950408889634;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Plan, OfNoStagesIsPlainSampling) {
  const Plan plan = Compiled({});
  EXPECT_EQ(plan.edit_count, 0);
  EXPECT_EQ(plan.cut_count, 0);
  EXPECT_FALSE(plan.greedy || plan.uses_bias || plan.uses_counts);
  EXPECT_EQ(plan.temperature, 1);
  EXPECT_EQ(plan.c, static_cast<float>(kLog2E));
}

TEST(Plan, DropsStagesThatChangeNothing) {
  const Plan plan = Compiled({RepetitionPenalty{1}, FrequencyPenalty{0}, PresencePenalty{-0.0},
                              Temperature{1}, TopK{0}, TopP{1}, MinP{0}});
  EXPECT_EQ(plan.edit_count, 0);
  EXPECT_EQ(plan.cut_count, 0);
  EXPECT_FALSE(plan.uses_counts);
}

// An edit that is dropped neither follows a truncation nor turns a temperature into an edit.
TEST(Plan, DroppedEditsDoNotCountAsEdits) {
  const Plan plan = Compiled({Temperature{0.5}, TopK{5}, RepetitionPenalty{1}});
  EXPECT_EQ(plan.edit_count, 0);
  EXPECT_EQ(plan.cut_count, 1);
  EXPECT_EQ(plan.temperature, 0.5);
}

TEST(Plan, KeepsEditsInOrderWithTheirScope) {
  const Plan plan = Compiled({PresencePenalty{0.25, PenaltyScope::kPrompt}, LogitBias{},
                              RepetitionPenalty{1.5}, FrequencyPenalty{-2}});
  ASSERT_EQ(plan.edit_count, 4);
  EXPECT_EQ(plan.edits[0].kind, Edit::Kind::kPresence);
  EXPECT_EQ(plan.edits[0].scope, PenaltyScope::kPrompt);
  EXPECT_EQ(plan.edits[0].value, 0.25f);
  EXPECT_EQ(plan.edits[1].kind, Edit::Kind::kBias);
  EXPECT_EQ(plan.edits[2].kind, Edit::Kind::kRepetition);
  EXPECT_EQ(plan.edits[2].scope, PenaltyScope::kPromptAndOutput);
  EXPECT_EQ(plan.edits[2].value, 1.5f);
  EXPECT_EQ(plan.edits[3].kind, Edit::Kind::kFrequency);
  EXPECT_EQ(plan.edits[3].scope, PenaltyScope::kOutput);
  EXPECT_EQ(plan.edits[3].value, -2.0f);
  EXPECT_TRUE(plan.uses_bias && plan.uses_counts);
}

TEST(Plan, MeasuresEachCutAtTheTemperatureBeforeIt) {
  const Plan plan =
      Compiled({MinP{0.25}, Temperature{0.5}, TopP{0.75, true}, Temperature{3}, TopK{7}});
  ASSERT_EQ(plan.cut_count, 3);
  EXPECT_EQ(plan.cuts[0].kind, Cut::Kind::kWeightOfMax);
  EXPECT_EQ(plan.cuts[0].value, 0.25);
  EXPECT_EQ(plan.cuts[0].c, static_cast<float>(kLog2E));
  EXPECT_EQ(plan.cuts[1].kind, Cut::Kind::kMass);
  EXPECT_EQ(plan.cuts[1].value, 0.75);
  EXPECT_TRUE(plan.cuts[1].joint);
  EXPECT_EQ(plan.cuts[1].c, static_cast<float>(kLog2E / 0.5));
  EXPECT_EQ(plan.cuts[2].kind, Cut::Kind::kCount);
  EXPECT_EQ(plan.cuts[2].count, 7u);
  EXPECT_EQ(plan.temperature, 1.5);
  EXPECT_EQ(plan.c, static_cast<float>(kLog2E / 1.5));
}

TEST(Plan, TemperatureFollowedByAnEditScales) {
  const Plan plan =
      Compiled({Temperature{0.3}, Temperature{5}, PresencePenalty{1}, Temperature{0.7}});
  ASSERT_EQ(plan.edit_count, 3);
  EXPECT_EQ(plan.edits[0].kind, Edit::Kind::kScale);
  EXPECT_EQ(plan.edits[0].value, static_cast<float>(1 / 0.3));
  EXPECT_EQ(plan.edits[1].kind, Edit::Kind::kScale);
  EXPECT_EQ(plan.edits[1].value, static_cast<float>(1 / 5.0));
  EXPECT_EQ(plan.edits[2].kind, Edit::Kind::kPresence);
  EXPECT_EQ(plan.temperature, 0.7);
}

TEST(Plan, GreedyNeedsNoCutAndNoTemperature) {
  for (const Stage& greedy : {Stage{Greedy{}}, Stage{Temperature{0}}}) {
    const Plan plan = Compiled({LogitBias{}, Temperature{2}, TopP{0.5}, greedy, MinP{0.5}});
    EXPECT_TRUE(plan.greedy);
    EXPECT_EQ(plan.edit_count, 1);
    EXPECT_EQ(plan.cut_count, 0);
    EXPECT_EQ(plan.temperature, 1);
    EXPECT_EQ(plan.c, static_cast<float>(kLog2E));
  }
}

TEST(Plan, RefusesParametersWithPlaceValueAndRange) {
  EXPECT_EQ(Refused({TopK{3}, TopP{1.5}}),
            "stages[1].top_p.p is 1.5; it must be in [0, 1] (1 is off)");
  EXPECT_EQ(Refused({TopP{kNan}}), "stages[0].top_p.p is nan; it must be in [0, 1] (1 is off)");
  EXPECT_EQ(Refused({MinP{-0.25}}), "stages[0].min_p.m is -0.25; it must be in [0, 1] (0 is off)");
  EXPECT_EQ(Refused({TopK{-1}}), "stages[0].top_k.k is -1; it must be at least 0 (0 is off)");
  EXPECT_EQ(Refused({Temperature{-1}}),
            "stages[0].temperature.t is -1; it must be 0 (greedy) or in [2^-100, 2^100]");
  EXPECT_EQ(Refused({Temperature{1e-40}}),
            "stages[0].temperature.t is 1e-40; it must be 0 (greedy) or in [2^-100, 2^100]");
  EXPECT_EQ(Refused({RepetitionPenalty{0}}),
            "stages[0].repetition_penalty.penalty is 0; it must be finite and above 0 in binary32 "
            "(1 is off)");
  EXPECT_EQ(
      Refused({FrequencyPenalty{1e39}}),
      "stages[0].frequency_penalty.penalty is 1e+39; it must be finite in binary32 (0 is off)");
  EXPECT_EQ(Refused({PresencePenalty{kNan}}),
            "stages[0].presence_penalty.penalty is nan; it must be finite in binary32 (0 is off)");
}

TEST(Plan, RefusesTemperaturesWhoseProductLeavesTheRange) {
  EXPECT_EQ(Refused({Temperature{0x1p-60}, TopK{2}, Temperature{0x1p-60}}),
            "stages[2].temperature.t is 8.67362e-19, which makes the product of the chain's "
            "temperatures 7.52316e-37; it must be in [2^-100, 2^100]");
  EXPECT_EQ(Compiled({Temperature{0x1p-60}, LogitBias{}, Temperature{0x1p-60}}).temperature,
            0x1p-60);
}

TEST(Plan, RefusesEditsAfterATruncation) {
  EXPECT_EQ(Refused({Temperature{2}, TopK{5}, MinP{0.5}, PresencePenalty{1}}),
            "stages[3].presence_penalty follows stages[1].top_k; edits must come before "
            "truncations");
}

TEST(Plan, RefusesEditsAfterAGreedyChoice) {
  EXPECT_EQ(Refused({Temperature{0}, LogitBias{}}),
            "stages[1].logit_bias follows a greedy choice (greedy, or temperature 0); edits must "
            "come before it");
}

TEST(Plan, RefusesASecondLogitBias) {
  EXPECT_EQ(Refused({LogitBias{}, LogitBias{}}),
            "stages[1].logit_bias is repeated; a chain may hold it once");
}

TEST(Plan, RefusesMoreStagesThanAPlanHolds) {
  EXPECT_EQ(Compiled(std::vector<Stage>(kMaxStages, TopK{1})).cut_count, kMaxStages);
  EXPECT_EQ(Refused(std::vector<Stage>(kMaxStages + 1, TopK{1})),
            "a chain has 33 stages; it may have at most 32");
  // Every temperature and every edit becomes an edit: still within bounds.
  std::vector<Stage> edits;
  for (int i = 0; i < kMaxStages / 2; ++i) {
    edits.push_back(Temperature{1.5});
    edits.push_back(PresencePenalty{1});
  }
  EXPECT_EQ(Compiled(edits).edit_count, kMaxStages);
}

}  // namespace
}  // namespace tessera

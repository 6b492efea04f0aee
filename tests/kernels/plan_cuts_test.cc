// CompileChain of the cuts, rewrites and draw rules: what a plan says of them, where each may
// stand.
#include <gtest/gtest.h>

#include <limits>

#include "kernels/plan.h"
#include "tests/kernels/compiled_chain.h"

namespace tessera {
namespace {

constexpr double kLog2E = 1.4426950408889634;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Every stage whose parameter is off is left out.
TEST(PlanCuts, DropsRareStagesThatChangeNothing) {
  const Plan plan = Compiled({TopA{0}, EpsilonCutoff{0}, EtaCutoff{0}, TypicalP{1}, TopNSigma{0},
                              TailFree{1}, Xtc{0, 0.1}, Xtc{1, 0.6}, DynamicTemperature{1, 1, 2},
                              Smoothing{0, 2}, TopP{.p = 1, .partial = true}, DrawRule{}});
  EXPECT_EQ(plan.cut_count, 0);
  EXPECT_FALSE(plan.rewrites || plan.stateful || plan.partial || plan.sorted_draw);
}

TEST(PlanCuts, SaysWhatItsCutsNeed) {
  EXPECT_FALSE(Compiled({TopK{3}, TopP{0.5}, TopNSigma{1}, TopA{0.5}}).rewrites);
  for (const Stage& stage : {Stage{TypicalP{0.5}}, Stage{Xtc{0.5, 0.1}}, Stage{Smoothing{0.5, 1}},
                             Stage{DynamicTemperature{0.5, 1, 1}}, Stage{AdaptiveP{0.5, 0.9}}}) {
    EXPECT_TRUE(Compiled({stage}).rewrites);
  }
  for (const Stage& stage :
       {Stage{MirostatV1{5, 0.1}}, Stage{MirostatV2{5, 0.1}}, Stage{AdaptiveP{0.5, 0.9}}}) {
    EXPECT_TRUE(Compiled({stage}).stateful);
  }
  EXPECT_FALSE(Compiled({Xtc{0.5, 0.1}}).stateful);
}

TEST(PlanCuts, MeasuresEveryCutAtItsPlaceAndTheTemperedRowBeforeThem) {
  const Plan plan = Compiled({Temperature{2}, MinP{0.1}, Temperature{3}, AdaptiveP{0.5, 0.9}});
  EXPECT_EQ(plan.cuts[0].c, static_cast<float>(kLog2E / 2));
  EXPECT_EQ(plan.cuts[1].c, static_cast<float>(kLog2E / 6));
  EXPECT_EQ(plan.temperature, 1);  // of what adaptive-p made
  EXPECT_EQ(plan.tempered, 6);
}

TEST(PlanCuts, DrawsSortedIfToldToOrIfAWeightIsPartial) {
  EXPECT_TRUE(Compiled({DrawRule{DrawOrder::kSorted}}).sorted_draw);
  const Plan sorted = Compiled({DrawRule{DrawOrder::kSorted, Generator::kMt19937}, TopK{2}});
  EXPECT_TRUE(sorted.sorted_draw);
  EXPECT_EQ(sorted.generator, Generator::kMt19937);
  EXPECT_FALSE(Compiled({DrawRule{DrawOrder::kId, Generator::kXorshift64}}).sorted_draw);
  const Plan partial = Compiled({TopP{.p = 0.5, .partial = true}});
  EXPECT_TRUE(partial.partial && partial.sorted_draw);
  const Plan greedy = Compiled({TopP{.p = 0.5, .partial = true}, Greedy{}});
  EXPECT_FALSE(greedy.partial || greedy.sorted_draw);
}

// A greedy choice needs the cuts before it where they may move the first key.
TEST(PlanCuts, GreedyKeepsCutsThatMayMoveTheFirstKey) {
  EXPECT_EQ(Compiled({TopK{5}, Xtc{0.5, 0.1}, Greedy{}}).cut_count, 2);
  EXPECT_EQ(Compiled({Smoothing{0.5, 1}, Greedy{}}).cut_count, 1);
  EXPECT_EQ(Compiled({TopK{5}, TopNSigma{1}, Greedy{}, Xtc{0.5, 0.1}}).cut_count, 0);
  EXPECT_FALSE(Compiled({Greedy{}, MirostatV2{5, 0.1}}).stateful);
}

TEST(PlanCuts, RefusesRareParametersWithTheirRange) {
  EXPECT_EQ(Refused({TopA{1.5}}), "stages[0].top_a.a is 1.5; it must be in [0, 1] (0 is off)");
  EXPECT_EQ(Refused({EpsilonCutoff{1}}),
            "stages[0].epsilon_cutoff.epsilon is 1; it must be in [0, 1) (0 is off)");
  EXPECT_EQ(Refused({EtaCutoff{kNan}}),
            "stages[0].eta_cutoff.epsilon is nan; it must be in [0, 1) (0 is off)");
  EXPECT_EQ(Refused({TypicalP{-1}}),
            "stages[0].typical_p.p is -1; it must be in [0, 1] (1 is off)");
  EXPECT_EQ(Refused({TypicalP{.p = 0.5, .boundary = Boundary::kWithin}}),
            "stages[0].typical_p.boundary is 2; it must be REACH or EXCEED");
  EXPECT_EQ(Refused({TopNSigma{1e9}}),
            "stages[0].top_n_sigma.n is 1e+09; it must be in [0, 2^26) (0 is off)");
  EXPECT_EQ(Refused({TopK{5}, TailFree{2}}),
            "stages[1].tail_free.z is 2; it must be in [0, 1] (1 is off)");
  EXPECT_EQ(Refused({Xtc{0.5, 0}}),
            "stages[0].xtc.threshold is 0; it must be in (0, 1] (above 0.5 is off)");
  EXPECT_EQ(Refused({DynamicTemperature{2, 1, 1}}),
            "stages[0].dynamic_temperature.high is 1; it must be in [low, 2^20]");
  EXPECT_EQ(
      Refused({Smoothing{0.5, 3.5}}),
      "stages[0].smoothing.curve is 3.5; it must be in [1, 3], where smoothing keeps the order "
      "of logits");
  EXPECT_EQ(Refused({MirostatV1{0, 0.1}}),
            "stages[0].mirostat_v1.tau is 0; it must be in (0, 64] bits");
  EXPECT_EQ(Refused({MirostatV2{5, -1}}),
            "stages[0].mirostat_v2.eta is -1; it must be in [0, 1024]");
  EXPECT_EQ(Refused({AdaptiveP{0.5, 1}}),
            "stages[0].adaptive_p.decay is 1; it must be in [0, 0.99]");
}

TEST(PlanCuts, RefusesWhatFollowsAStageThatMustBeLast) {
  EXPECT_EQ(Refused({MirostatV2{5, 0.1}, TopK{2}}),
            "stages[1].top_k follows stages[0].mirostat_v2, which must be the last truncation");
  EXPECT_EQ(Refused({AdaptiveP{0.5, 0.9}, Temperature{2}}),
            "stages[1].temperature follows stages[0].adaptive_p, which must be last");
  EXPECT_EQ(Refused({MirostatV1{5, 0.1}, Greedy{}}),
            "stages[1].greedy follows stages[0].mirostat_v1, which must be last");
  EXPECT_EQ(Refused({TopP{.p = 0.5, .partial = true}, MinP{0.1}}),
            "stages[1].min_p follows stages[0].top_p, which must be the last truncation");
  EXPECT_EQ(Refused({TopP{.p = 0.5, .partial = true}, Temperature{2}}),
            "stages[1].temperature follows stages[0].top_p, whose partial weight is of its own "
            "scale");
}

TEST(PlanCuts, RefusesCutsThatCannotStandWhereTheyDo) {
  const std::string unsorted =
      "stages[1].tail_free needs a top_k of at most 1024 tokens before it, without tied ones: it "
      "works on sorted tokens";
  EXPECT_EQ(Refused({TopP{0.5}, TailFree{0.5}}), unsorted);
  EXPECT_EQ(Refused({TopK{1025}, TailFree{0.5}}), unsorted);
  EXPECT_EQ(Refused({TopK{5, Ties::kWhole}, TailFree{0.5}}), unsorted);
  EXPECT_EQ(Compiled({TopK{1024}, TopP{0.5}, TailFree{0.5}}).cut_count, 3);
  EXPECT_EQ(Refused({Smoothing{0.5, 1}, AdaptiveP{0.5, 0.9}}),
            "stages[1].adaptive_p follows dynamic_temperature or smoothing; it needs logits as the "
            "edits left them");
  EXPECT_EQ(Refused({Xtc{0.5, 0.1}, TopP{0.5, true}}),
            "stages[1].top_p.joint is true; it must be false after a stage that rewrites logits or "
            "may remove the likeliest token");
  const std::string partial =
      "stages[0].top_p.partial is true; it must be false unless boundary is REACH and ties are "
      "SPLIT";
  EXPECT_EQ(Refused({TopP{.p = 0.5, .boundary = Boundary::kExceed, .partial = true}}), partial);
  EXPECT_EQ(Refused({TopP{.p = 0.5, .ties = Ties::kWhole, .partial = true}}), partial);
  EXPECT_EQ(Refused({Xtc{0.5, 0.1}, PresencePenalty{1}}),
            "stages[1].presence_penalty follows stages[0].xtc; edits must come before truncations");
}

}  // namespace
}  // namespace tessera

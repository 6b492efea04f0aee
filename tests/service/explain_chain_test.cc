// What a chain does to a row, stage by stage: numbers worked out by hand, on every backend.
#include "service/explain_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/service/explain_requests.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ExplainChain, EveryStageTellsWhatItLeft) {
  const v1::ExplainChainResponse response = Explain(Request(kSix, "top_k=5,top_p=0.9"));
  EXPECT_EQ(response.outcome(), v1::ROW_OUTCOME_OK);
  EXPECT_THAT(response.followed_ids(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(response.start().support_size(), 6u);
  EXPECT_EQ(response.start().mass(), 1);
  EXPECT_NEAR(response.start().probabilities(0), 0.5966, 5e-5);
  EXPECT_EQ(response.start().lowest().id(), 5);
  ASSERT_EQ(response.stages_size(), 2);
  const v1::StageExplanation& top_k = response.stages(0);
  EXPECT_EQ(top_k.name(), "top_k");
  EXPECT_EQ(top_k.effect(), v1::STAGE_EFFECT_CUT);
  EXPECT_EQ(top_k.law().support_size(), 5u);
  // e^-2 over the sum of the six exponentials is what top-k cuts.
  EXPECT_NEAR(top_k.law().mass(), 1 - 0.001479, 1e-6);
  EXPECT_NEAR(top_k.kept_share(), top_k.law().mass(), 1e-7);
  ASSERT_EQ(top_k.cuts_size(), 1);
  EXPECT_EQ(top_k.cuts(0).last_kept().id(), 4);
  EXPECT_EQ(top_k.cuts(0).first_cut().id(), 5);
  EXPECT_EQ(top_k.cuts(0).first_cut().logit(), -2);
  EXPECT_EQ(top_k.cuts(0).first_cut().probability_after(), 0);
  const v1::StageExplanation& top_p = response.stages(1);
  EXPECT_EQ(top_p.law().support_size(), 3u);
  EXPECT_NEAR(top_p.law().probabilities(0), 0.6522, 5e-5);
  EXPECT_NEAR(top_p.law().probabilities(1), 0.2399, 5e-5);
  EXPECT_NEAR(top_p.law().probabilities(2), 0.1078, 5e-5);
  EXPECT_THAT(std::vector<float>(top_p.law().probabilities().begin() + 3,
                                 top_p.law().probabilities().end()),
              ElementsAre(0, 0, 0));
  EXPECT_EQ(top_p.law().lowest().id(), 2);
  EXPECT_EQ(top_p.target_share(), 0.9);
  EXPECT_EQ(top_p.cuts(0).removed(), 2u);
  EXPECT_THAT(top_p.reason(), HasSubstr("the first 3 tokens have 0.9161, which reaches 0.9000"));
  EXPECT_THAT(top_p.reason(), HasSubstr("without token 2 it would be 0.8173, short of it"));
}

TEST(ExplainChain, MassIsOfTheWholeRowAndEntropyOfTheLaw) {
  // Weights 8, 4, 2, 1, 1.
  const std::vector<float> logits = {std::log(8.0f), std::log(4.0f), std::log(2.0f), 0, 0};
  const v1::ExplainChainResponse response = Explain(Request(logits, "top_k=4,top_k=2"));
  EXPECT_NEAR(response.start().entropy(), std::log(2.0) * 1.875, 1e-5);
  EXPECT_NEAR(response.stages(0).law().mass(), 15.0 / 16, 1e-6);
  EXPECT_NEAR(response.stages(1).law().mass(), 12.0 / 16, 1e-6);
  EXPECT_NEAR(response.stages(1).kept_share(), 12.0 / 15, 1e-6);
  EXPECT_NEAR(response.stages(1).law().entropy(), -(2 * std::log(2.0 / 3) + std::log(1.0 / 3)) / 3,
              1e-5);
}

TEST(ExplainChain, ATieIsNamedWithTheRuleThatDecidedIt) {
  const v1::ExplainChainResponse response = Explain(Request({1, 3, 2, 2, 2}, "top_k=2"));
  const v1::StageExplanation& top_k = response.stages(0);
  ASSERT_EQ(top_k.cuts_size(), 1);
  EXPECT_TRUE(top_k.cuts(0).tied());
  EXPECT_EQ(top_k.cuts(0).last_kept().id(), 2);
  EXPECT_EQ(top_k.cuts(0).first_cut().id(), 3);
  EXPECT_EQ(top_k.tie_rule(), "ties split by lower id");
  EXPECT_THAT(top_k.reason(), HasSubstr("tokens 2 and 3 have equal logits: the lower id stays"));
}

TEST(ExplainChain, TiesThatStayTogetherAreNotCalledNeeded) {
  const v1::ExplainChainResponse response = Explain(Request({0, 0, 0, 0, -5}, "top_p=0.5:whole"));
  EXPECT_EQ(response.stages(0).law().support_size(), 4u);
  EXPECT_THAT(response.stages(0).reason(), HasSubstr("the first 4 tokens have 0.9983"));
  EXPECT_THAT(response.stages(0).reason(), HasSubstr("stays too"));
  EXPECT_THAT(response.stages(0).tie_rule(), HasSubstr("are kept"));
}

TEST(ExplainChain, EditsAreSeenInLogits) {
  v1::ExplainChainRequest request = Request({2, 1, 0, 5}, "logit_bias,presence_penalty=1,top_k=1");
  v1::TokenBias* bias = request.mutable_row()->add_bias();
  bias->set_id(1);
  bias->set_value(3);
  bias = request.mutable_row()->add_bias();
  bias->set_id(3);
  bias->set_value(-INFINITY);
  request.mutable_row()->mutable_history()->add_output_ids(0);
  const v1::ExplainChainResponse response = Explain(request);
  ASSERT_THAT(response.followed_ids(), ElementsAre(0, 1, 2));
  EXPECT_EQ(response.start().support_size(), 3u) << "a bias of -inf is a mask";
  EXPECT_THAT(response.start().logits(), ElementsAre(2, 1, 0));
  EXPECT_THAT(response.stages(0).law().logits(), ElementsAre(2, 4, 0));
  EXPECT_THAT(response.stages(0).reason(), HasSubstr("changes 1 logit"));
  EXPECT_THAT(response.stages(1).law().logits(), ElementsAre(1, 4, 0));
  EXPECT_EQ(response.stages(2).cuts(0).last_kept().id(), 1);
  EXPECT_EQ(response.stages(2).cuts(0).first_cut().id(), 0);
}

TEST(ExplainChain, AStageThatIsOffChangesNothing) {
  const v1::ExplainChainResponse response = Explain(Request(kSix, "temperature=1,top_p=1,min_p=0"));
  for (const v1::StageExplanation& stage : response.stages()) {
    EXPECT_TRUE(stage.no_op());
    EXPECT_EQ(stage.law().support_size(), 6u);
    EXPECT_EQ(stage.law().probabilities(0), response.start().probabilities(0));
    EXPECT_EQ(stage.cuts_size(), 0);
  }
}

TEST(ExplainChain, GreedyAndTemperatureZeroKeepOne) {
  for (const char* chain : {"greedy", "temperature=0", "top_k=3,greedy"}) {
    const v1::ExplainChainResponse response = Explain(Request(kSix, chain));
    const v1::StageExplanation& last = *response.stages().rbegin();
    EXPECT_EQ(last.law().support_size(), 1u) << chain;
    EXPECT_EQ(last.law().probabilities(0), 1) << chain;
    EXPECT_EQ(last.cuts(0).first_cut().id(), 1) << chain;
    EXPECT_THAT(last.reason(), HasSubstr("token 0 has the largest logit, 4")) << chain;
    EXPECT_NEAR(last.law().mass(), 0.5966, 5e-5) << chain;
  }
}

TEST(ExplainChain, MinPTellsWhatItAskedFor) {
  const v1::ExplainChainResponse response = Explain(Request(kSix, "min_p=0.1"));
  const v1::StageExplanation& min_p = response.stages(0);
  EXPECT_NEAR(min_p.least_probability(), 0.05966, 5e-6);
  EXPECT_EQ(min_p.law().support_size(), 3u);
  EXPECT_THAT(min_p.reason(), HasSubstr("a token needs 0.0597"));
}

// The boundary lies beyond what a report may list, so it is found another way.
TEST(ExplainChain, ABoundaryFarBelowTheLeadersIsFound) {
  std::vector<float> logits(5000);
  for (size_t i = 0; i < logits.size(); ++i)
    logits[(i * 7) % 5000] = -0.001f * static_cast<float>(i);
  v1::ExplainChainRequest request = Request(logits, "top_k=3000");
  request.set_leaders(2);
  request.add_watch_ids(7);
  request.add_watch_ids(7);
  const v1::ExplainChainResponse response = Explain(request);
  EXPECT_THAT(response.followed_ids(), ElementsAre(0, 7));
  ASSERT_EQ(response.stages(0).cuts_size(), 1);
  EXPECT_EQ(response.stages(0).cuts(0).last_kept().id(), 2999 * 7 % 5000);
  EXPECT_EQ(response.stages(0).cuts(0).first_cut().id(), 3000 * 7 % 5000);
  EXPECT_EQ(response.stages(0).cuts(0).removed(), 2000u);
}

TEST(ExplainChain, AnInvalidLogitLeavesTheWords) {
  const v1::ExplainChainResponse response = Explain(Request({1, NAN, 0}, "top_p=0.9"));
  EXPECT_EQ(response.outcome(), v1::ROW_OUTCOME_INVALID_LOGITS);
  EXPECT_THAT(response.error(), HasSubstr("the logit of id 1 is NaN"));
  EXPECT_FALSE(response.has_start());
  EXPECT_THAT(response.stages(0).description(), HasSubstr("top-p 0.9"));
  EXPECT_FALSE(response.stages(0).has_law());
}

TEST(ExplainChain, AnEditThatOverflowsEndsTheLawsThere) {
  v1::ExplainChainRequest request = Request({3e38f, 0}, "temperature=2,logit_bias,top_p=0.9");
  v1::TokenBias* bias = request.mutable_row()->add_bias();
  bias->set_id(0);
  bias->set_value(3e38f);
  const v1::ExplainChainResponse response = Explain(request);
  EXPECT_EQ(response.outcome(), v1::ROW_OUTCOME_INVALID_LOGITS);
  EXPECT_TRUE(response.has_start());
  EXPECT_TRUE(response.stages(0).has_law());
  EXPECT_FALSE(response.stages(1).has_law());
  EXPECT_FALSE(response.stages(2).has_law());
}

TEST(ExplainChain, WithoutLogitsTheChainAloneIsExplained) {
  v1::ExplainChainRequest request = Request({1}, "temperature=0.7,top_p=0.95:joint");
  request.clear_logits();
  const v1::ExplainChainResponse response = Explain(request);
  EXPECT_EQ(response.stages(0).description(),
            "temperature 0.7: divides logits by 0.7, which makes the law sharper");
  EXPECT_THAT(response.stages(1).boundary_rule(), HasSubstr("(joint)"));
  EXPECT_FALSE(response.has_start());
  request.mutable_row();
  EXPECT_EQ(Refusal(request), "row is set without logits; add the row's logits, or leave it out");
}

TEST(ExplainChain, WhatIsWrongIsNamedAsInTheRequest) {
  EXPECT_EQ(Refusal(Request(kSix, "temperature=1,top_p=1.5")),
            "chain.stages[1].top_p.p is 1.5; it must be in [0, 1] (1 is off)");
  v1::ExplainChainRequest request = Request(kSix, "top_p=0.9");
  request.add_watch_ids(6);
  EXPECT_EQ(Refusal(request), "watch_ids[0] is 6; it must be in [0, 6), the vocabulary");
  request = Request(kSix, "top_p=0.9");
  request.set_leaders(65);
  EXPECT_EQ(Refusal(request), "leaders is 65; it must be at most 64");
  request = Request(kSix, "top_p=0.9");
  request.mutable_row()->add_banned_ids(6);
  EXPECT_EQ(Refusal(request), "row.banned_ids[0] is 6; it must be in [0, 6)");
  request = Request(kSix, "top_p=0.9");
  request.mutable_row()->set_samples(1);
  EXPECT_EQ(Refusal(request), "row.samples is set; it must be absent: nothing is drawn");
  request = Request(kSix, "top_p=0.9");
  request.mutable_row()->mutable_history()->add_output_ids(1);
  EXPECT_THAT(Refusal(request), HasSubstr("row.history is given, but chain has no"));
  request = Request(kSix, "top_p=0.9");
  request.set_vocab_size(7);
  EXPECT_EQ(Refusal(request), "vocab_size is 7; it must be in [1, 6], the columns of logits");
  request = Request(kSix, "top_p=0.9");
  *request.mutable_logits() = FloatTensor({kSix, kSix});
  EXPECT_EQ(Refusal(request), "logits.rows is 2; it must be 1: one row is explained");
}

TEST(ExplainChain, APresetIsExplainedAsItsExpansion) {
  const v1::ExplainChainResponse response =
      Explain(Request(kSix, "preset:vllm-torch,temperature=1.5,top_p=0.9"));
  EXPECT_EQ(response.preset().name(), "vllm-torch");
  EXPECT_THAT(response.preset().fidelity(), HasSubstr("law"));
  for (const std::string* words :
       {&response.preset().order(), &response.preset().tie_rule(), &response.preset().greedy_when(),
        &response.preset().boundary_rule(), &response.preset().nucleus_base(),
        &response.preset().penalty_scope(), &response.preset().disabled_values()}) {
    EXPECT_FALSE(words->empty());
  }
  EXPECT_FALSE(response.preset().greedy());
  std::vector<std::string> active;
  for (const v1::StageExplanation& stage : response.stages()) {
    if (stage.effect() != v1::STAGE_EFFECT_EDIT && !stage.no_op()) active.push_back(stage.name());
  }
  EXPECT_THAT(active, ElementsAre("temperature", "top_p"));
  EXPECT_EQ(response.stages().rbegin()->law().support_size(), 4u);
  EXPECT_THAT(Refusal(Request(kSix, "preset:vllm-torch,top_p=2")), HasSubstr("chain.preset"));
}

}  // namespace
}  // namespace tessera

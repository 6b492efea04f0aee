// What ExplainChain says of stages that cut at the top or rewrite, and of those that read a row's
// history, guidance or state.
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
using ::testing::Not;

TEST(ExplainChain, XtcCutsFromTheTopAndLaterStagesGoOnFromThere) {
  const v1::ExplainChainResponse response = Explain(Request(kSix, "xtc=1:0.09,top_k=2"));
  const v1::StageExplanation& xtc = response.stages(0);
  EXPECT_EQ(xtc.law().support_size(), 4u);
  ASSERT_EQ(xtc.cuts_size(), 1);
  EXPECT_TRUE(xtc.cuts(0).from_top());
  EXPECT_EQ(xtc.cuts(0).removed(), 2u);
  EXPECT_EQ(xtc.cuts(0).first_cut().id(), 1);
  EXPECT_EQ(xtc.cuts(0).last_kept().id(), 2);
  EXPECT_NEAR(xtc.law().mass(), 1 - 0.5966 - 0.2195, 1e-4);
  EXPECT_THAT(xtc.reason(), HasSubstr("the likeliest 2 tokens, with at least 0.09 each"));
  const v1::StageExplanation& top_k = response.stages(1);
  ASSERT_EQ(top_k.cuts_size(), 1);
  EXPECT_EQ(top_k.cuts(0).last_kept().id(), 3);
  EXPECT_EQ(top_k.cuts(0).first_cut().id(), 4);
  EXPECT_NEAR(top_k.law().mass(), 0.0986 + 0.0541, 1e-4);
}

TEST(ExplainChain, TheCoinOfXtcIsThatOfTheDraw) {
  int excluded = 0;
  for (uint32_t position = 0; position < 64; ++position) {
    v1::ExplainChainRequest request = Request(kSix, "xtc=0.5:0.1");
    request.mutable_row()->set_seed(7);
    request.mutable_row()->set_position(position);
    const bool explained = Explain(request).stages(0).cuts_size() == 1;
    v1::SampleTokensRequest draw;
    draw.set_vocab_size(6);
    *draw.add_chains() = request.chain();
    *draw.add_logits() = request.logits();
    *draw.add_rows() = request.row();
    draw.mutable_rows(0)->set_return_support_size(true);
    const auto drawn = SampleTokens(draw, *MakeScalarBackend(), Limits());
    ASSERT_TRUE(drawn.ok()) << drawn.status();
    EXPECT_EQ(drawn->support_sizes(0), explained ? 5u : 6u) << position;
    excluded += explained ? 1 : 0;
  }
  EXPECT_TRUE(excluded > 8 && excluded < 56) << excluded;
}

// Entropy 1.1414: a probability of 0.3194 would be typical, and 0.2195 is nearer to it than 0.5966.
TEST(ExplainChain, TypicalPMayCutAtBothEnds) {
  const v1::ExplainChainResponse response = Explain(Request(kSix, "typical_p=0.2"));
  const v1::StageExplanation& typical = response.stages(0);
  EXPECT_EQ(typical.law().support_size(), 1u);
  ASSERT_EQ(typical.cuts_size(), 2);
  EXPECT_TRUE(typical.cuts(0).from_top());
  EXPECT_EQ(typical.cuts(0).first_cut().id(), 0);
  EXPECT_FALSE(typical.cuts(1).from_top());
  EXPECT_EQ(typical.cuts(1).first_cut().id(), 2);
  EXPECT_EQ(typical.cuts(1).last_kept().id(), 1);
  EXPECT_NEAR(typical.law().mass(), 0.2195, 5e-5);
}

TEST(ExplainChain, ARewriteKeepsTheTokensAndTheirMass) {
  const v1::ExplainChainResponse response =
      Explain(Request(kSix, "top_k=4,smoothing=0.5:1,dynamic_temperature=0.5:2,top_p=0.8"));
  const double mass = response.stages(0).law().mass();
  for (int i : {1, 2}) {
    const v1::StageExplanation& stage = response.stages(i);
    EXPECT_EQ(stage.effect(), v1::STAGE_EFFECT_REWRITE);
    EXPECT_EQ(stage.law().support_size(), 4u);
    EXPECT_EQ(stage.law().mass(), mass);
    EXPECT_EQ(stage.cuts_size(), 0);
    EXPECT_NE(stage.law().probabilities(0), response.stages(i - 1).law().probabilities(0));
  }
  const v1::StageExplanation& top_p = response.stages(3);
  EXPECT_NEAR(top_p.law().mass(), mass * top_p.kept_share(), 1e-6);
  double kept = 0;
  for (uint32_t i = 0; i < top_p.law().support_size(); ++i) {
    kept += response.stages(2).law().probabilities(static_cast<int>(i));
  }
  EXPECT_NEAR(top_p.kept_share(), kept, 1e-5);
}

TEST(ExplainChain, StagesThatReadTheHistoryBanAndAdd) {
  v1::ExplainChainRequest request = Request({3, 2, 1, 0}, "no_repeat_ngram=2,dry=1:2:1,top_k=1");
  for (int32_t id : {0, 1, 0}) request.mutable_row()->mutable_history()->add_output_ids(id);
  const v1::ExplainChainResponse response = Explain(request);
  EXPECT_EQ(response.start().support_size(), 4u);
  EXPECT_THAT(response.stages(0).law().logits(), ElementsAre(3, -INFINITY, 1, 0));
  EXPECT_THAT(response.stages(0).reason(), HasSubstr("bans 1 token"));
  EXPECT_EQ(response.stages(2).law().support_size(), 1u);
}

TEST(ExplainChain, GuidanceReadsItsOwnRow) {
  v1::ExplainChainRequest request = Request({3, 2, 1}, "guidance=2,top_k=1");
  *request.mutable_guidance_logits() = FloatTensor({{4, 1, 1}});
  const v1::ExplainChainResponse response = Explain(request);
  EXPECT_THAT(response.stages(0).law().logits(), ElementsAre(2, 3, 1));
  EXPECT_EQ(response.stages(1).law().lowest().id(), 1);
}

TEST(ExplainChain, MirostatReadsTheState) {
  v1::ExplainChainRequest request = Request(kSix, "temperature=1.1,mirostat_v2=3:0.1");
  request.mutable_row()->mutable_state()->mutable_mirostat()->set_mu(1);
  const v1::ExplainChainResponse tight = Explain(request);
  EXPECT_EQ(tight.stages(1).law().support_size(), 1u);
  EXPECT_THAT(tight.stages(1).reason(), HasSubstr("a token needs 0.5000 (mu is 1 bits): "));
  EXPECT_EQ(tight.stages(1).least_probability(), 0.5);
  request.mutable_row()->mutable_state()->mutable_mirostat()->set_mu(40);
  EXPECT_EQ(Explain(request).stages(1).law().support_size(), 6u);
  request.mutable_row()->mutable_state()->mutable_mirostat()->set_mu(0.25);
  EXPECT_THAT(Explain(request).stages(1).reason(),
              HasSubstr("even the likeliest token has less than 0.8409: it stays"));
  request.mutable_row()->clear_state();
  EXPECT_THAT(Explain(request).stages(1).reason(), HasSubstr("mu is 6 bits, twice tau at the st"));
  EXPECT_THAT(Explain(Request(kSix, "mirostat_v1=3:0.1")).stages(0).reason(),
              HasSubstr("mu is 6 bits, twice tau at the start; "));
}

// Variances by hand: 1.04, 0.25 of {3, 2}, and 14 / 9 of {2, 0, -1}.
TEST(ExplainChain, TopNSigmaTellsTheDeviationOfWhatItFound) {
  const auto reason = [](const std::vector<float>& logits, const std::string& chain) {
    return Explain(Request(logits, chain)).stages().rbegin()->reason();
  };
  EXPECT_THAT(reason({3, 2, 2, 1, 0}, "top_n_sigma=1"),
              HasSubstr("the largest logit is 3 and the standard deviation 1.0198, so a token "
                        "needs a logit of 1.9802: token 2"));
  EXPECT_THAT(reason({3, 2, 2, 1, 0}, "top_k=2,temperature=0.5,top_n_sigma=1"),
              HasSubstr("deviation 0.5000, so a token needs a logit of 2.5000: token 0"));
  EXPECT_THAT(reason({2, 2, 2, 0, -1}, "xtc=1:0.1,top_n_sigma=1"),
              HasSubstr("deviation 1.2472, so a token needs a logit of 0.7528: token 2"));
  EXPECT_THAT(reason({1, 1, 1}, "top_k=2,top_n_sigma=1"), HasSubstr("deviation 0.0000"));
  EXPECT_THAT(reason({3, 2, 1}, "smoothing=0.5,top_n_sigma=1"), Not(HasSubstr("deviation")));
}

}  // namespace
}  // namespace tessera

// Chains as a person types them.
#include "client/chain_text.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

v1::SamplerChain Parsed(absl::string_view text) {
  const auto chain = ParseChain(text);
  EXPECT_TRUE(chain.ok()) << chain.status();
  return chain.ok() ? *chain : v1::SamplerChain();
}

TEST(ParseChain, KeepsTheOrderWritten) {
  const v1::SamplerChain chain = Parsed("top_p=0.9,temperature=0.7, top_k = 50 ,top_p=0.5:joint");
  ASSERT_EQ(chain.stages_size(), 4);
  EXPECT_EQ(chain.stages(0).top_p().p(), 0.9);
  EXPECT_FALSE(chain.stages(0).top_p().joint());
  EXPECT_EQ(chain.stages(1).temperature().t(), 0.7);
  EXPECT_EQ(chain.stages(2).top_k().k(), 50);
  EXPECT_EQ(chain.stages(3).top_p().p(), 0.5);
  EXPECT_TRUE(chain.stages(3).top_p().joint());
}

// A stage added to the proto must get a spelling here.
TEST(ParseChain, KnowsEveryStageOfTheProto) {
  const v1::SamplerChain chain = Parsed(
      "logit_bias,repetition_penalty=1.1,frequency_penalty=-0.5:prompt_and_output,"
      "presence_penalty=0.25:prompt,temperature=1e-3,greedy,top_k=-1,top_p=0,min_p=0.05");
  const auto* stage = v1::SamplerStage::descriptor()->FindOneofByName("stage");
  ASSERT_EQ(chain.stages_size(), stage->field_count());
  for (int i = 0; i < stage->field_count(); ++i) {
    const std::string& name = stage->field(i)->name();
    EXPECT_EQ(chain.stages(i).stage_case(), stage->field(i)->number()) << name;
    EXPECT_TRUE(absl::StrContains(ChainTextHelp(), name)) << name;
  }
  EXPECT_EQ(chain.stages(1).repetition_penalty().penalty(), 1.1);
  EXPECT_EQ(chain.stages(1).repetition_penalty().scope(), v1::PENALTY_SCOPE_UNSPECIFIED);
  EXPECT_EQ(chain.stages(2).frequency_penalty().penalty(), -0.5);
  EXPECT_EQ(chain.stages(2).frequency_penalty().scope(), v1::PENALTY_SCOPE_PROMPT_AND_OUTPUT);
  EXPECT_EQ(chain.stages(3).presence_penalty().scope(), v1::PENALTY_SCOPE_PROMPT);
  EXPECT_EQ(chain.stages(6).top_k().k(), -1) << "ranges are the server's to check";
  EXPECT_TRUE(chain.stages(7).top_p().has_p()) << "0 is a number that was given";
}

TEST(ParseChain, EmptyTextIsTheEmptyChain) {
  EXPECT_EQ(Parsed("").stages_size(), 0);
  EXPECT_EQ(Parsed("  ").stages_size(), 0);
}

TEST(ParseChain, RefusalsNameStagePositionAndWhatIsAccepted) {
  const auto unknown = ParseChain("temperature=0.7,topk=50").status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StartsWith(unknown.message(),
                               "chain stage 2 (character 17) is 'topk=50'; it must be one of "
                               "temperature=T, greedy, top_k=K"))
      << unknown;
  EXPECT_EQ(ParseChain("top_k=5.5").status().message(),
            "chain stage 1 (character 1) is 'top_k=5.5'; it must be top_k=INTEGER");
  EXPECT_EQ(ParseChain("top_p").status().message(),
            "chain stage 1 (character 1) is 'top_p'; it must be top_p=NUMBER");
  EXPECT_EQ(
      ParseChain("greedy=1").status().message(),
      "chain stage 1 (character 1) is 'greedy=1'; it must be greedy alone; it takes no value");
  EXPECT_EQ(ParseChain("presence_penalty=1:all").status().message(),
            "chain stage 1 (character 1) is 'presence_penalty=1:all'; it must be "
            "presence_penalty=NUMBER:SCOPE with SCOPE one of prompt_and_output, output, prompt");
}

TEST(ParseChain, NothingIsIgnored) {
  for (const char* bad :
       {",", "greedy,", ",greedy", "temperature=", "temperature=0.7x", "temperature=0.7:joint",
        "top_k=99999999999", "top_p=0.9:jointly", "top_p=0.9:joint:joint", "min_p=0.1:joint",
        "logit_bias=1", "TOP_K=5", "top_k=5;top_p=0.9", "repetition_penalty", "=0.7"}) {
    EXPECT_FALSE(ParseChain(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace tessera

// Chains as a person types them.
#include "client/chain_text.h"

#include <string>

#include "absl/strings/match.h"
#include "google/protobuf/text_format.h"
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

// Each stage as it may be typed, and what it then is. The order is the proto's.
const struct {
  const char* text;
  const char* stage;
} kTyped[] = {
    {"logit_bias", "logit_bias { }"},
    {"repetition_penalty=1.1", "repetition_penalty { penalty: 1.1 }"},
    {"frequency_penalty=-0.5:prompt_and_output",
     "frequency_penalty { penalty: -0.5 scope: PENALTY_SCOPE_PROMPT_AND_OUTPUT }"},
    {"presence_penalty=0.25:prompt",
     "presence_penalty { penalty: 0.25 scope: PENALTY_SCOPE_PROMPT }"},
    {"dry=0.8", "dry { multiplier: 0.8 }"},
    {"dry=0.8:1.75:2:-1:13/198-2",
     "dry { multiplier: 0.8 base: 1.75 allowed_length: 2 last_n: -1 "
     "breakers { ids: 13 } breakers { ids: 198 ids: 2 } }"},
    {"no_repeat_ngram=3:output", "no_repeat_ngram { n: 3 scope: PENALTY_SCOPE_OUTPUT }"},
    {"bad_words=5-7/12", "bad_words { words { ids: 5 ids: 7 } words { ids: 12 } }"},
    {"bad_words=12:prompt_and_output",
     "bad_words { words { ids: 12 } scope: PENALTY_SCOPE_PROMPT_AND_OUTPUT }"},
    {"sequence_bias=5-7@-2.5/12@1e1",
     "sequence_bias { sequences { ids: 5 ids: 7 bias: -2.5 } sequences { ids: 12 bias: 10 } }"},
    {"watermark=0.25:2:18446744073709551615:4",
     "watermark { gamma: 0.25 delta: 2 key: 18446744073709551615 context_width: 4 }"},
    {"guidance=1.5", "guidance { scale: 1.5 }"},
    {"temperature=1e-3", "temperature { t: 0.001 }"},
    {"greedy", "greedy { }"},
    {"top_k=-1", "top_k { k: -1 }"},
    {"top_k=40:whole", "top_k { k: 40 ties: TIES_WHOLE }"},
    {"top_p=0", "top_p { p: 0 }"},
    {"top_p=0.9:exceed:whole", "top_p { p: 0.9 boundary: BOUNDARY_EXCEED ties: TIES_WHOLE }"},
    {"top_p=0.9:split:within:joint:partial",
     "top_p { p: 0.9 joint: true boundary: BOUNDARY_WITHIN ties: TIES_SPLIT partial: true }"},
    {"min_p=0.05", "min_p { m: 0.05 }"},
    {"top_a=0.2", "top_a { a: 0.2 }"},
    {"epsilon_cutoff=3e-4", "epsilon_cutoff { epsilon: 3e-4 }"},
    {"eta_cutoff=2e-3", "eta_cutoff { epsilon: 2e-3 }"},
    {"typical_p=0.9", "typical_p { p: 0.9 }"},
    {"typical_p=0.9:exceed", "typical_p { p: 0.9 boundary: BOUNDARY_EXCEED }"},
    {"top_n_sigma=1.5", "top_n_sigma { n: 1.5 }"},
    {"tail_free=0.95", "tail_free { z: 0.95 }"},
    {"xtc=0.5:0.1", "xtc { probability: 0.5 threshold: 0.1 }"},
    {"dynamic_temperature=0.5:1.5", "dynamic_temperature { low: 0.5 high: 1.5 }"},
    {"dynamic_temperature=0.5:1.5:2", "dynamic_temperature { low: 0.5 high: 1.5 exponent: 2 }"},
    {"smoothing=0.3", "smoothing { factor: 0.3 }"},
    {"smoothing=0.3:2", "smoothing { factor: 0.3 curve: 2 }"},
    {"mirostat_v1=5:0.1", "mirostat_v1 { tau: 5 eta: 0.1 }"},
    {"mirostat_v2=5:0.1", "mirostat_v2 { tau: 5 eta: 0.1 }"},
    {"adaptive_p=0.4:0.9", "adaptive_p { target: 0.4 decay: 0.9 }"},
    {"draw_rule=sorted", "draw_rule { order: DRAW_ORDER_SORTED }"},
    {"draw_rule=sorted:mt19937",
     "draw_rule { order: DRAW_ORDER_SORTED generator: GENERATOR_MT19937 }"},
    {"draw_rule=xorshift64", "draw_rule { generator: GENERATOR_XORSHIFT64 }"},
};

TEST(ParseChain, ReadsEachStage) {
  for (const auto& typed : kTyped) {
    const v1::SamplerChain chain = Parsed(typed.text);
    ASSERT_EQ(chain.stages_size(), 1) << typed.text;
    v1::SamplerStage expected;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(typed.stage, &expected))
        << typed.stage;
    EXPECT_EQ(chain.stages(0).ShortDebugString(), expected.ShortDebugString()) << typed.text;
  }
}

// A stage added to the proto must get a spelling, and a line of the table above.
TEST(ParseChain, KnowsEveryStageOfTheProto) {
  const auto* stage = v1::SamplerStage::descriptor()->FindOneofByName("stage");
  for (int i = 0; i < stage->field_count(); ++i) {
    const std::string& name = stage->field(i)->name();
    EXPECT_TRUE(absl::StrContains(ChainTextHelp(), "  " + name)) << name;
    bool typed = false;
    for (const auto& line : kTyped) {
      typed |= absl::StartsWith(line.stage, name + " {");
    }
    EXPECT_TRUE(typed) << name;
  }
}

TEST(ParseChain, EmptyTextIsTheEmptyChain) {
  for (const char* text : {"", "  "}) {
    EXPECT_EQ(Parsed(text).stages_size(), 0);
    EXPECT_FALSE(Parsed(text).has_preset());
  }
}

TEST(ParseChain, ReadsAPresetAndItsParameters) {
  const v1::SamplerChain chain =
      Parsed(" preset:vllm-torch, temperature = 0.8,top_k=-1,top_p=1e-1,mode=a=b,on=true");
  EXPECT_EQ(chain.stages_size(), 0);
  EXPECT_EQ(chain.preset().name(), "vllm-torch");
  const auto& parameters = chain.preset().parameters();
  ASSERT_EQ(parameters.size(), 5u);
  EXPECT_EQ(parameters.at("temperature").number(), 0.8);
  EXPECT_EQ(parameters.at("top_k").number(), -1);
  EXPECT_EQ(parameters.at("top_p").number(), 0.1);
  EXPECT_EQ(parameters.at("mode").text(), "a=b");
  EXPECT_EQ(parameters.at("on").text(), "true");
  EXPECT_TRUE(Parsed("preset:openai").preset().parameters().empty());
}

TEST(ParseChain, RefusalsOfPresetsNameTheParameter) {
  EXPECT_EQ(ParseChain("preset:").status().message(),
            "the preset has no name; it must be preset:NAME[,PARAMETER=VALUE]...");
  EXPECT_EQ(ParseChain("preset:tgi,top_k=5,typical_p").status().message(),
            "parameter 2 of preset tgi is 'typical_p'; it must be PARAMETER=VALUE");
  EXPECT_EQ(ParseChain("preset:tgi,top_k=5,top_k=6").status().message(),
            "parameter 2 of preset tgi is 'top_k=6'; it must be PARAMETER=VALUE, each parameter "
            "once");
  for (const char* bad : {"preset:tgi,", "preset:tgi,=5", "preset:tgi,top_k=", "preset"}) {
    EXPECT_FALSE(ParseChain(bad).ok()) << bad;
  }
}

TEST(ParseChain, RefusalsNameStagePositionAndWhatIsAccepted) {
  const auto unknown = ParseChain("temperature=0.7,topk=50").status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StartsWith(unknown.message(),
                               "chain stage 2 (character 17) is 'topk=50'; it must be one of "
                               "temperature=T, greedy, top_k=K[:TIES]"))
      << unknown;
  EXPECT_EQ(ParseChain("top_k=5.5").status().message(),
            "chain stage 1 (character 1) is 'top_k=5.5'; it must be top_k=K[:TIES], with words "
            "from split, whole");
  EXPECT_EQ(ParseChain("min_p").status().message(),
            "chain stage 1 (character 1) is 'min_p'; it must be min_p=M");
  EXPECT_EQ(ParseChain("greedy=1").status().message(),
            "chain stage 1 (character 1) is 'greedy=1'; it must be greedy");
  EXPECT_EQ(ParseChain("presence_penalty=1:all").status().message(),
            "chain stage 1 (character 1) is 'presence_penalty=1:all'; it must be "
            "presence_penalty=S[:SCOPE], with words from prompt_and_output, output, prompt");
  EXPECT_EQ(ParseChain("xtc=0.5").status().message(),
            "chain stage 1 (character 1) is 'xtc=0.5'; it must be xtc=PROBABILITY:THRESHOLD");
}

TEST(ParseChain, NothingIsIgnored) {
  for (const char* bad : {
           ",",
           "greedy,",
           ",greedy",
           "greedy=",
           "temperature=",
           "temperature=0.7x",
           "temperature=0.7:joint",
           "top_k=99999999999",
           "top_k=5:whole:split",
           "top_k=5:unspecified",
           "top_p=0.9:jointly",
           "top_p=0.9:joint:joint",
           "top_p=joint:0.9",
           "top_p=0.9:0.8",
           "min_p=0.1:joint",
           "typical_p=exceed",
           "logit_bias=1",
           "TOP_K=5",
           "top_k=5;top_p=0.9",
           "repetition_penalty",
           "=0.7",
           "xtc=0.5:0.1:0.2",
           "mirostat_v2=5",
           "dry=0.8:1.75:-2",
           "dry=0.8:1.75:13/198",
           "bad_words",
           "bad_words=",
           "bad_words=5-",
           "bad_words=5//7",
           "bad_words=5@1",
           "sequence_bias=5",
           "sequence_bias=5@",
           "watermark=0.25:2",
           "watermark=0.25:2:-1",
           "draw_rule=fast",
           "draw_rule=",
       }) {
    EXPECT_FALSE(ParseChain(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace tessera

// Presets in a request: expanded to a chain, or refused with the row that names them. What each one
// expands to is the presets' own tests'.
#include "service/decode_preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "service/capabilities.h"
#include "service/decode_request.h"
#include "service/describe_presets.h"
#include "tests/service/requests.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kRow[] = "seed: 1 position: 0";

// Why the row of this chain is refused; empty where it is not.
std::string RefusalOf(const v1::SampleTokensRequest& request) {
  const absl::StatusOr<Job> job = DecodeRequest(request, Limits());
  EXPECT_TRUE(job.ok()) << job.status();
  return job->refused.empty() ? "" : job->refused[0].message;
}

std::string RefusalOf(const std::string& chain) { return RefusalOf(OneRowRequest(chain, kRow)); }

// ExLlamaV2's default top_p is one that no prefix of the order answers, so it must be given
// another.
TEST(DecodePreset, EveryPresetButOneCompilesWithItsDefaults) {
  for (const std::string& name : PresetNames()) {
    const std::string refusal = RefusalOf("preset { name: '" + name + "' }");
    if (name == "exllamav2") {
      EXPECT_THAT(refusal, HasSubstr("exllamav2.top_p is 0.8 (the engine's default)"));
    } else {
      EXPECT_EQ(refusal, "");
    }
  }
}

TEST(DecodePreset, ParametersReachTheChain) {
  const auto request = OneRowRequest(
      "preset { name: 'vllm-torch' parameters { key: 'top_k' value { number: 3 } } }", kRow);
  const absl::StatusOr<Job> job = DecodeRequest(request, Limits());
  ASSERT_TRUE(job.ok()) << job.status();
  ASSERT_TRUE(job->refused.empty()) << job->refused[0].message;
  const Plan& plan = *job->rows[0].plan;
  ASSERT_GE(plan.cut_count, 1);
  EXPECT_EQ(plan.cuts[0].kind, Cut::Kind::kCount);
  EXPECT_EQ(plan.cuts[0].count, 3u);
  EXPECT_EQ(plan.cuts[0].ties, Ties::kWhole);
}

TEST(DecodePreset, RefusalsNameTheChainAndTheParameter) {
  EXPECT_THAT(RefusalOf("preset { name: 'vllm' }"),
              AllOf(StartsWith("chains[0].preset: "), HasSubstr("vllm-torch")));
  EXPECT_THAT(RefusalOf("preset { }"), StartsWith("chains[0].preset: "));
  EXPECT_THAT(RefusalOf("preset { name: 'vllm-torch' parameters { key: 'top_k' value { } } }"),
              StartsWith("chains[0].preset: parameters['top_k'] is empty; it must hold a number or "
                         "a text"));
  EXPECT_THAT(
      RefusalOf("preset { name: 'vllm-torch' parameters { key: 'topk' value { number: 1 } } }"),
      AllOf(StartsWith("chains[0].preset: vllm-torch"), HasSubstr("topk")));
  EXPECT_THAT(
      RefusalOf("preset { name: 'vllm-torch' parameters { key: 'top_p' value { number: nan } } }"),
      StartsWith("chains[0].preset: vllm-torch.top_p is nan; it must be"));
  EXPECT_EQ(RefusalOf("preset { name: 'vllm-torch' } stages { greedy { } }"),
            "chains[0].preset and stages are both set; it must be one of them");
}

// Every row that names the chain repeats its message, so a message repeats no long text.
TEST(DecodePreset, LongWordsAreNotRepeated) {
  const std::string lengthy(65, 'x');
  EXPECT_EQ(RefusalOf("preset { name: '" + lengthy + "' }"),
            "chains[0].preset: name is 65 bytes long; it must be at most 64");
  EXPECT_EQ(
      RefusalOf("preset { name: 'tgi' parameters { key: '" + lengthy + "' value { number: 1 } } }"),
      "chains[0].preset: the name of a parameter is 65 bytes long; it must be at most 64");
  const std::string endless(4097, 'x');
  EXPECT_EQ(
      RefusalOf("preset { name: 'tgi' parameters { key: 'top_p' value { text: '" + endless +
                "' } } }"),
      "chains[0].preset: parameters['top_p'].text is 4097 bytes long; it must be at most 4096");
}

TEST(DecodePreset, OfSeveralFaultsTheFirstByNameIsSaid) {
  std::string chain = "preset { name: 'tgi'";
  for (const char* name : {"d", "b", "a", "c"}) {
    chain += std::string(" parameters { key: '") + name + "' value { } }";
  }
  EXPECT_THAT(RefusalOf(chain + " }"), StartsWith("chains[0].preset: parameters['a'] is empty"));
}

TEST(DecodePreset, ItsRankRuleHoldsUnlessTheRowHasOne) {
  const auto ties_against = [](const std::string& chain, const std::string& rule) {
    const auto request =
        OneRowRequest(chain, "seed: 1 position: 0 logprobs { modes: 1 " + rule + "}");
    const absl::StatusOr<Job> job = DecodeRequest(request, Limits());
    EXPECT_TRUE(job.ok() && job->refused.empty());
    return job->rows[0].ties_against;
  };
  const std::string vllm = "preset { name: 'vllm-torch' }";
  EXPECT_TRUE(ties_against(vllm, ""));
  EXPECT_FALSE(ties_against(vllm, "rank_rule: RANK_RULE_STRICT "));
  EXPECT_FALSE(ties_against("stages { top_k { k: 1 } }", ""));
  EXPECT_TRUE(ties_against("stages { top_k { k: 1 } }", "rank_rule: RANK_RULE_TIES_AGAINST "));
  EXPECT_EQ(RefusalOf(OneRowRequest("", "seed: 1 position: 0 logprobs { modes: 1 rank_rule: 3 }")),
            "rows[0].logprobs.rank_rule is 3; it must be STRICT or TIES_AGAINST");
}

TEST(DescribePresets, ListsEachWithItsParameters) {
  v1::GetCapabilitiesResponse response;
  DescribePresets(&response);
  ASSERT_EQ(static_cast<size_t>(response.presets_size()), PresetNames().size());
  for (const v1::PresetReport& preset : response.presets()) {
    EXPECT_FALSE(preset.follows().empty()) << preset.name();
    for (const v1::PresetParameterReport& parameter : preset.parameters()) {
      const std::string what = preset.name() + "." + parameter.name();
      EXPECT_FALSE(parameter.meaning().empty()) << what;
      // The default is a value that the preset takes, but for ExLlamaV2's top_p.
      if (!parameter.can_be_set() || preset.name() == "exllamav2") continue;
      v1::SampleTokensRequest request = OneRowRequest("", kRow);
      v1::EnginePreset* named = request.mutable_chains(0)->mutable_preset();
      named->set_name(preset.name());
      (*named->mutable_parameters())[parameter.name()] = parameter.default_value();
      EXPECT_EQ(RefusalOf(request), "") << what;
    }
  }
}

}  // namespace
}  // namespace tessera

// What holds for every preset: names, lists of parameters, refusals.
#include "kernels/presets/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/plan.h"
#include "tests/presets/shown_chain.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Type = PresetParameter::Type;

TEST(Presets, Names) {
  EXPECT_THAT(
      PresetNames(),
      ElementsAre("vllm-torch", "vllm-triton", "vllm-flashinfer", "vllm-mrv2", "hf-transformers",
                  "llamacpp", "sglang-flashinfer", "sglang-pytorch", "trtllm-torch",
                  "trtllm-flashinfer", "trtllm-cpp", "tgi", "mlc-cpu", "mlc-renorm", "exllamav2",
                  "exllamav3", "openai", "numpy-descending", "tessera", "trtmc"));
}

TEST(Presets, AnUnknownNameListsTheKnownOnes) {
  const absl::Status status = ExpandPreset("vllm", {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("preset is \"vllm\"; it must be one of vllm-torch, "));
  EXPECT_FALSE(DescribePreset("").ok());
}

TEST(Presets, EveryDescriptionIsFilledIn) {
  for (const std::string& name : PresetNames()) {
    const PresetDescription& d = **DescribePreset(name);
    EXPECT_EQ(d.name, name);
    for (const std::string& text : {d.follows, d.order, d.ties, d.boundary, d.base, d.penalties,
                                    d.greedy_when, d.disabled, d.draw}) {
      EXPECT_THAT(text, Not(IsEmpty())) << name;
    }
    std::set<std::string> seen;
    for (const PresetParameter& p : d.parameters) {
      EXPECT_TRUE(seen.insert(p.name).second) << name << "." << p.name;
      EXPECT_TRUE(p.alias.empty() || seen.insert(p.alias).second) << name << "." << p.alias;
      EXPECT_THAT(p.accepted, Not(IsEmpty())) << name << "." << p.name;
      EXPECT_THAT(p.meaning, Not(IsEmpty())) << name << "." << p.name;
    }
  }
}

// Only ExLlamaV2's defaults are refused: its top_p of 0.8 is no prefix of the order.
TEST(Presets, DefaultsExpandAndCompile) {
  for (const std::string& name : PresetNames()) {
    const absl::StatusOr<ExpandedPreset> expanded = ExpandPreset(name, {});
    if (name == "exllamav2") {
      EXPECT_THAT(expanded.status().message(),
                  HasSubstr("exllamav2.top_p is 0.8 (the engine's default); it must be 0 or 1"));
      continue;
    }
    ASSERT_TRUE(expanded.ok()) << expanded.status();
    const absl::StatusOr<Plan> plan = CompileChain(expanded->chain);
    ASSERT_TRUE(plan.ok()) << name << ": " << plan.status();
    EXPECT_EQ(plan->greedy, expanded->greedy) << name;
    EXPECT_EQ(expanded->description, *DescribePreset(name));
  }
}

// ExLlamaV2's default top_p is refused whoever asks for it: there it is off.
PresetParameters NothingGiven(const std::string& name) {
  return name == "exllamav2" ? PresetParameters{{"top_p", 1.0}} : PresetParameters{};
}

// TensorRT-LLM's PyTorch flow is greedy only where none of the three was given at all.
bool AsksWhetherGiven(const std::string& preset, const std::string& parameter) {
  return (preset == "trtllm-torch" || preset == "trtllm-flashinfer") &&
         (parameter == "temperature" || parameter == "top_k" || parameter == "top_p");
}

// A default given explicitly is the same as one left out, under either of its names.
TEST(Presets, DefaultsGivenAreAsIfLeftOut) {
  int checked = 0;
  for (const std::string& name : PresetNames()) {
    const PresetParameters base = NothingGiven(name);
    for (const PresetParameter& p : (*DescribePreset(name))->parameters) {
      if (p.type == Type::kRow || base.count(p.name) != 0) continue;
      for (const std::string& called : {p.name, p.alias}) {
        if (called.empty()) continue;
        PresetParameters given = base;
        given[called] = p.initial;
        ASSERT_TRUE(ExpandPreset(name, given).ok()) << Shown(name, given);
        ++checked;
        if (AsksWhetherGiven(name, p.name)) continue;
        EXPECT_EQ(Shown(name, given), Shown(name, base)) << name << "." << called;
      }
    }
  }
  EXPECT_GT(checked, 180);
}

TEST(Presets, AllDefaultsMayBeGivenTogether) {
  for (const std::string& name : PresetNames()) {
    PresetParameters given = NothingGiven(name);
    for (const PresetParameter& p : (*DescribePreset(name))->parameters) {
      if (p.type != Type::kRow) given.emplace(p.name, p.initial);
    }
    const absl::StatusOr<ExpandedPreset> expanded = ExpandPreset(name, given);
    ASSERT_TRUE(expanded.ok()) << expanded.status();
    EXPECT_TRUE(CompileChain(expanded->chain).ok()) << name;
    if (AsksWhetherGiven(name, "top_k")) continue;
    EXPECT_EQ(Shown(name, given), Shown(name, NothingGiven(name))) << name;
  }
}

TEST(Presets, WhatBelongsToTheRowIsRefusedWithItsPlace) {
  int checked = 0;
  for (const std::string& name : PresetNames()) {
    for (const PresetParameter& p : (*DescribePreset(name))->parameters) {
      if (p.type != Type::kRow) continue;
      EXPECT_EQ(Shown(name, {{p.name, 7.0}}),
                absl::StrCat(name, ".", p.name, " is 7; it must be left out: ", p.meaning));
      ++checked;
    }
  }
  EXPECT_GT(checked, 80);
}

TEST(Presets, WhatIsNotOfferedIsRefusedWithTheReason) {
  int checked = 0;
  for (const std::string& name : PresetNames()) {
    for (const PresetParameter& p : (*DescribePreset(name))->parameters) {
      if (p.type != Type::kFixed) continue;
      EXPECT_EQ(
          Shown(name, {{p.name, 7.5}}),
          absl::StrCat(name, ".", p.name, " is 7.5; it must be ", p.accepted, ": ", p.meaning));
      ++checked;
    }
  }
  EXPECT_GT(checked, 20);
}

TEST(Presets, NumbersOutsideTheirRangeAreRefused) {
  int checked = 0;
  for (const std::string& name : PresetNames()) {
    for (const PresetParameter& p : (*DescribePreset(name))->parameters) {
      if (p.type != Type::kNumber && p.type != Type::kInteger) continue;
      const double nan = std::numeric_limits<double>::quiet_NaN();
      const double infinity = std::numeric_limits<double>::infinity();
      for (const double wrong : {nan, infinity, -infinity}) {
        EXPECT_EQ(Shown(name, {{p.name, wrong}}),
                  absl::StrCat(name, ".", p.name, " is ", wrong, "; it must be ", p.accepted));
      }
      if (p.low_open && p.extra != p.low) {
        EXPECT_THAT(Shown(name, {{p.name, p.low}}), HasSubstr("; it must be ")) << name << p.name;
      }
      EXPECT_THAT(Shown(name, {{p.name, "much"}}), HasSubstr(" is \"much\"; it must be "));
      ++checked;
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(Presets, IntegersAndSwitchesAreChecked) {
  EXPECT_EQ(Shown("vllm-torch", {{"top_k", 2.5}}),
            "vllm-torch.top_k is 2.5; it must be an integer of at least -1");
  EXPECT_EQ(Shown("sglang-pytorch", {{"top_k", 0.0}}),
            "sglang-pytorch.top_k is 0; it must be -1 or an integer of at least 1");
  EXPECT_EQ(Shown("hf-transformers", {{"do_sample", 2.0}}),
            "hf-transformers.do_sample is 2; it must be 0, 1, \"true\" or \"false\"");
  EXPECT_EQ(Shown("hf-transformers", {{"do_sample", "true"}}),
            Shown("hf-transformers", {{"do_sample", 1.0}}));
  EXPECT_EQ(Shown("llamacpp", {{"samplers", 1.0}}).substr(0, 38),
            "llamacpp.samplers is 1; it must be nam");
}

TEST(Presets, UnknownParametersListTheKnownOnes) {
  EXPECT_THAT(Shown("openai", {{"top_k", 5.0}}),
              HasSubstr("openai.top_k is not a parameter of this preset; it has temperature, "));
  EXPECT_THAT(Shown("openai", {{"", 5.0}}), HasSubstr("openai. is not a parameter"));
}

TEST(Presets, AParameterIsGivenOnce) {
  EXPECT_EQ(Shown("llamacpp", {{"temp", 1.0}, {"temperature", 1.0}}),
            "llamacpp.temperature is given twice, as temperature and temp");
}

TEST(Presets, ALongTextIsNotRepeated) {
  const std::string message = Shown("vllm-torch", {{"bad_words", std::string(4000, 'x')}});
  EXPECT_THAT(message, HasSubstr("xxx...\"; \"xxx"));
  EXPECT_LT(message.size(), 400u);
}

TEST(Presets, WrongIdsAreRefused) {
  EXPECT_EQ(Shown("vllm-torch", {{"bad_words", "5,x"}}),
            "vllm-torch.bad_words is \"5,x\"; \"x\" is no token id; ids are separated by commas, "
            "sequences by semicolons");
  EXPECT_THAT(Shown("vllm-torch", {{"bad_words", "5;;6"}}), HasSubstr("\"\" is no token id"));
  EXPECT_THAT(Shown("vllm-torch", {{"bad_words", "-5"}}), HasSubstr("\"-5\" is no token id"));
  EXPECT_THAT(Shown("hf-transformers", {{"sequence_bias", "5,6"}}),
              HasSubstr("\"5,6\" is not \"ids=bias\""));
}

}  // namespace
}  // namespace tessera::testing

// vLLM: parameters in, chain out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/presets/shown_chain.h"

namespace tessera::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const PresetParameters kAll = {{"temperature", 0.5},
                               {"top_k", 40.0},
                               {"top_p", 0.75},
                               {"min_p", 0.125},
                               {"repetition_penalty", 1.5},
                               {"frequency_penalty", 0.25},
                               {"presence_penalty", 0.5},
                               {"bad_words", "5,6;7"}};

constexpr char kPenalties[] =
    "bias | repetition 1.5 all | frequency 0.25 output | presence 0.5 output";

TEST(Vllm, OrderTiesAndBoundaryOfEachPath) {
  const std::string edits = absl::StrCat("bad_words 5,6 7 output | ", kPenalties);
  const std::string first = absl::StrCat(edits, " | temperature 0.5 | min_p 0.125 | ");
  EXPECT_EQ(Shown("vllm-torch", kAll), first + "top_k 40 whole | top_p 0.75");
  EXPECT_EQ(Shown("vllm-triton", kAll), first + "top_k 40 | top_p 0.75");
  EXPECT_EQ(Shown("vllm-flashinfer", kAll), first + "top_k 40 whole | top_p 0.75 whole");
}

TEST(Vllm, RunnerV2AddsTheBiasFirst) {
  EXPECT_EQ(Shown("vllm-mrv2", kAll),
            "bias | bad_words 5,6 7 output | repetition 1.5 all | frequency 0.25 output | "
            "presence 0.5 output | temperature 0.5 | min_p 0.125 | top_k 40 | top_p 0.75");
}

// At 0.8 the tail of 0.2 in binary32 leaves a little more than 0.8.
TEST(Vllm, TorchTakesOneMinusPInFloat) {
  const ExpandedPreset expanded = *ExpandPreset("vllm-torch", {{"top_p", 0.8}});
  const TopP& top_p = std::get<TopP>(expanded.chain.stages.back());
  EXPECT_EQ(top_p.p, 1 - static_cast<double>(1.0f - 0.8f));
  EXPECT_GT(top_p.p, 0.8);
  EXPECT_EQ(Shown("vllm-torch", {{"top_p", 1.0}}), "bias");
}

TEST(Vllm, TritonSaysWhenItKeepsAWholeTie) {
  for (const char* name : {"vllm-triton", "vllm-mrv2"}) {
    EXPECT_THAT(ExpandPreset(name, {{"top_p", 0.5}})->notes,
                ElementsAre(HasSubstr("where that misses, all of them stay")));
    EXPECT_THAT(ExpandPreset(name, {})->notes, IsEmpty());
  }
}

TEST(Vllm, OffValues) {
  for (const char* name : {"vllm-torch", "vllm-triton", "vllm-flashinfer", "vllm-mrv2"}) {
    EXPECT_EQ(Shown(name, {}), "bias");
    EXPECT_EQ(Shown(name, {{"top_k", -1.0}, {"top_p", 1.0}, {"min_p", 0.0}}), "bias");
    EXPECT_EQ(Shown(name, {{"top_k", 0.0}}), "bias");
  }
}

TEST(Vllm, GreedyOnlyAtZeroBecauseTheApiRaisesSmallTemperatures) {
  EXPECT_EQ(Shown("vllm-torch", {{"temperature", 0.0}, {"top_k", 3.0}}), "bias | greedy");
  EXPECT_TRUE(ExpandPreset("vllm-torch", {{"temperature", 0.0}})->greedy);
  EXPECT_EQ(Shown("vllm-triton", {{"temperature", 1e-6}}), "bias | temperature 0.01");
  EXPECT_EQ(Shown("vllm-mrv2", {{"temperature", 0.0099}}), "bias | temperature 0.01");
  EXPECT_EQ(Shown("vllm-triton", {{"temperature", 0.01}}), "bias | temperature 0.01");
  EXPECT_THAT(ExpandPreset("vllm-torch", {{"temperature", 0.001}})->notes,
              ::testing::Contains(HasSubstr("raised to 0.01")));
}

TEST(Vllm, Validation) {
  EXPECT_EQ(Shown("vllm-torch", {{"top_p", 0.0}}), "vllm-torch.top_p is 0; it must be in (0, 1]");
  EXPECT_EQ(Shown("vllm-torch", {{"min_p", 1.5}}), "vllm-torch.min_p is 1.5; it must be in [0, 1]");
  EXPECT_EQ(Shown("vllm-torch", {{"presence_penalty", -2.5}}),
            "vllm-torch.presence_penalty is -2.5; it must be in [-2, 2]");
  EXPECT_EQ(Shown("vllm-torch", {{"repetition_penalty", 0.0}}),
            "vllm-torch.repetition_penalty is 0; it must be above 0");
  EXPECT_EQ(Shown("vllm-torch", {{"top_k", -2.0}}),
            "vllm-torch.top_k is -2; it must be an integer of at least -1");
  EXPECT_EQ(Shown("vllm-torch", {{"seed", 1.0}}),
            "vllm-torch.seed is 1; it must be left out: SampleRow.seed");
}

TEST(Vllm, ReportsRawLogprobsAndTheWorstRankOfATie) {
  const PresetDescription& d = **DescribePreset("vllm-torch");
  EXPECT_EQ(d.logprobs, LogprobMode::kRawMasked);
  EXPECT_EQ(d.rank, RankRule::kAtLeast);
  EXPECT_EQ(d.fidelity, Fidelity::kLaw);
}

}  // namespace
}  // namespace tessera::testing

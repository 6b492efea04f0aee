// llama.cpp: its list of samplers in, chain out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/presets/shown_chain.h"

namespace tessera::testing {
namespace {

using ::testing::HasSubstr;

std::string Llama(const PresetParameters& parameters) { return Shown("llamacpp", parameters); }

TEST(LlamaCpp, DefaultsTruncateTheUntemperedRow) {
  EXPECT_EQ(Llama({}),
            "bias | top_k 40 | top_p 0.95 | min_p 0.05 | temperature 0.8 | draw sorted mt19937");
}

TEST(LlamaCpp, DefaultOrder) {
  EXPECT_EQ(Llama({{"repeat_penalty", 1.5},
                   {"repeat_last_n", -1.0},
                   {"frequency_penalty", 0.25},
                   {"presence_penalty", 0.5},
                   {"dry_multiplier", 0.5},
                   {"dry_sequence_breakers", "13;7,8"},
                   {"top_n_sigma", 1.5},
                   {"typical_p", 0.5},
                   {"xtc_probability", 0.25}}),
            "bias | repetition 1.5 all | frequency 0.25 all | presence 0.5 all | "
            "dry 0.5 1.75 2 -1 13 7,8 | top_n_sigma 1.5 | top_k 40 | typical 0.5 exceed | "
            "top_p 0.95 | min_p 0.05 | xtc 0.25 0.1 | temperature 0.8");
}

TEST(LlamaCpp, SamplersMayBeNamesOrLetters) {
  const std::string expected = "bias | temperature 0.8 | top_k 40 | draw sorted mt19937";
  EXPECT_EQ(Llama({{"samplers", "temperature;top_k"}}), expected);
  EXPECT_EQ(Llama({{"samplers", "temp;top-k;"}}), expected);
  EXPECT_EQ(Llama({{"samplers", "tk"}}), expected);
  EXPECT_EQ(Llama({{"samplers", "temperature"}}), "bias | temperature 0.8 | draw by id mt19937");
  EXPECT_EQ(Llama({{"samplers", ""}}), "bias | draw by id mt19937");
  EXPECT_THAT(Llama({{"samplers", "top_k;infill"}}), HasSubstr("it must name samplers"));
  EXPECT_THAT(Llama({{"samplers", "kz"}}), HasSubstr("llamacpp.samplers is \"kz\"; it must name"));
}

TEST(LlamaCpp, EditsAfterCutsAreRefusedWhereTheyAct) {
  EXPECT_THAT(Llama({{"samplers", "top_k;penalties"}, {"repeat_penalty", 1.5}}),
              HasSubstr("it must name penalties before the truncations"));
  EXPECT_EQ(Llama({{"samplers", "top_k;penalties"}}), "bias | top_k 40 | draw sorted mt19937");
  EXPECT_THAT(Llama({{"samplers", "kd"}, {"dry_multiplier", 1.0}}),
              HasSubstr("it must name dry before the truncations"));
  EXPECT_EQ(Llama({{"samplers", "te"}, {"repeat_penalty", 1.5}, {"repeat_last_n", -1.0}}),
            "bias | temperature 0.8 | repetition 1.5 all | draw by id mt19937");
}

TEST(LlamaCpp, OffValues) {
  EXPECT_EQ(Llama({{"top_k", -5.0}, {"top_p", 1.5}, {"min_p", -1.0}, {"temp", 1.0}}),
            "bias | draw by id mt19937");
  EXPECT_EQ(Llama({{"samplers", "p"}, {"top_p", -1.0}}), "bias | top_p 0 | draw sorted mt19937");
  EXPECT_EQ(Llama({{"samplers", "x"}, {"xtc_probability", 1.0}, {"xtc_threshold", 0.6}}),
            "bias | draw by id mt19937");
  EXPECT_EQ(Llama({{"samplers", "e"}, {"repeat_penalty", 1.5}, {"penalty_last_n", 0.0}}),
            "bias | draw by id mt19937");
  EXPECT_EQ(Llama({{"samplers", "d"}, {"dry_multiplier", 1.0}, {"dry_base", 0.5}}),
            "bias | draw by id mt19937");
}

TEST(LlamaCpp, Temperatures) {
  EXPECT_EQ(Llama({{"samplers", "kt"}, {"temperature", 0.0}}), "bias | top_k 40 | greedy");
  EXPECT_EQ(Llama({{"samplers", "kt"}, {"temperature", -1.0}}), "bias | top_k 40 | greedy");
  EXPECT_TRUE(ExpandPreset("llamacpp", {{"temperature", 0.0}})->greedy);
  EXPECT_EQ(Llama({{"samplers", "t"}, {"dynatemp_range", 1.0}, {"dynatemp_exponent", 2.0}}),
            "bias | dynamic 0 1.8 2 | draw sorted mt19937");
  EXPECT_THAT(Llama({{"temperature", -2.0}, {"dynatemp_range", 1.0}}),
              HasSubstr("with dynatemp_range it must reach 0"));
}

TEST(LlamaCpp, MirostatReplacesTheList) {
  EXPECT_EQ(Llama({{"mirostat", 1.0}, {"repeat_penalty", 1.5}}),
            "bias | temperature 0.8 | mirostat_v1 5 0.1");
  EXPECT_EQ(Llama({{"mirostat", 2.0}, {"mirostat_tau", 3.0}, {"mirostat_eta", 0.25}}),
            "bias | temperature 0.8 | mirostat_v2 3 0.25");
  EXPECT_EQ(Llama({{"mirostat", 2.0}, {"temperature", 0.0}}), "bias | greedy");
  EXPECT_EQ(Llama({{"mirostat", 3.0}}), "llamacpp.mirostat is 3; it must be an integer in [0, 2]");
}

TEST(LlamaCpp, AdaptivePIsLastWhereverItIsListed) {
  EXPECT_EQ(Llama({{"samplers", "akt"}, {"adaptive_target", 0.5}, {"adaptive_decay", 2.0}}),
            "bias | top_k 40 | temperature 0.8 | adaptive 0.5 0.99");
  EXPECT_EQ(Llama({{"samplers", "akt"}}),
            "bias | top_k 40 | temperature 0.8 | draw sorted mt19937");
  EXPECT_EQ(Llama({{"samplers", "k"}, {"adaptive_target", 0.5}}),
            "bias | top_k 40 | draw sorted mt19937");
  EXPECT_THAT(Llama({{"samplers", "ta"}, {"adaptive_target", 0.5}, {"dynatemp_range", 0.5}}),
              HasSubstr("adaptive_target is 0.5; it must be below 0 (off) with dynatemp_range"));
}

TEST(LlamaCpp, DryNeedsItsBreakersAsIds) {
  EXPECT_THAT(Llama({{"dry_multiplier", 0.5}}), HasSubstr("dry_sequence_breakers must be given"));
  EXPECT_EQ(Llama({{"samplers", "d"}, {"dry_multiplier", 0.5}, {"dry_sequence_breakers", "none"}}),
            "bias | dry 0.5 1.75 2 -1 | draw by id mt19937");
  EXPECT_THAT(Llama({{"dry_multiplier", 0.5}, {"dry_sequence_breakers", ":"}}),
              HasSubstr("\":\" is no token id"));
}

TEST(LlamaCpp, PenaltiesAndDryReadOneHistory) {
  const PresetParameters both = {
      {"repeat_penalty", 1.5}, {"dry_multiplier", 0.5}, {"dry_sequence_breakers", "none"}};
  EXPECT_THAT(Llama(both), HasSubstr("dry_penalty_last_n is -1 (the engine's default); it must be "
                                     "64, as repeat_last_n"));
}

// Where the order of its candidates is not a function of the logits, the law is all there is.
TEST(LlamaCpp, FidelityFollowsTheSamplers) {
  const auto fidelity = [](const PresetParameters& p) {
    return ExpandPreset("llamacpp", p)->fidelity;
  };
  EXPECT_EQ(fidelity({}), Fidelity::kTokens);
  EXPECT_EQ(fidelity({{"typical_p", 0.5}}), Fidelity::kTokens);  // top_p sorts again
  EXPECT_EQ(fidelity({{"samplers", "py"}, {"typical_p", 0.5}}), Fidelity::kLaw);
  EXPECT_EQ(fidelity({{"xtc_probability", 0.5}}), Fidelity::kLaw);
  EXPECT_EQ(fidelity({{"mirostat", 2.0}}), Fidelity::kLaw);
  EXPECT_EQ(fidelity({{"samplers", "ka"}, {"adaptive_target", 0.5}}), Fidelity::kLaw);
}

}  // namespace
}  // namespace tessera::testing

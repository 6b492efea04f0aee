// ExLlamaV2 and V3, OpenAI, numpy, trtmc and Tessera's own: parameters in, chain out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/presets/shown_chain.h"

namespace tessera::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// No penalty and no top_p, so that a table shows what it is about.
std::string Two(PresetParameters parameters) {
  parameters.insert({{"token_repetition_penalty", 1.0}, {"top_p", 0.0}});
  return Shown("exllamav2", parameters);
}

TEST(ExLlamaV2, ItsNucleusIsNoPrefix) {
  EXPECT_THAT(Two({{"top_p", 0.8}}), HasSubstr("exllamav2.top_p is 0.8; it must be 0 or 1 (off)"));
  EXPECT_EQ(Two({}), "bias | temperature 0.8 | top_k 50");
  EXPECT_EQ(Two({{"top_p", 1.0}}), "bias | temperature 0.8 | top_k 50");
  EXPECT_EQ(Shown("exllamav2", {{"top_k", 1.0}}), "repetition 1.025 all | bias | greedy");
}

TEST(ExLlamaV2, Order) {
  EXPECT_EQ(Two({{"token_repetition_penalty", 1.5},
                 {"token_presence_penalty", 0.5},
                 {"token_frequency_penalty", 0.25},
                 {"cfg_scale", 2.0},
                 {"smoothing_factor", 0.5},
                 {"top_a", 0.25},
                 {"min_p", 0.125},
                 {"tfs", 0.75},
                 {"mirostat", "true"}}),
            "guidance 2 | repetition 1.5 all | presence 0.5 all | frequency 0.25 all | bias | "
            "smoothing 0.5 1 | temperature 0.8 | top_k 50 | top_a 0.25 | min_p 0.125 | "
            "tail_free 0.75 | mirostat_v2 1.5 0.1");
}

TEST(ExLlamaV2, TemperatureAtTheEnd) {
  EXPECT_EQ(Two({{"temperature_last", 1.0}}), "bias | top_k 50 | temperature 0.8");
  EXPECT_EQ(Two({{"min_temp", 0.5}, {"max_temp", 2.0}}),
            "bias | temperature 0.8 | top_k 50 | dynamic 0.5 2 1");
  EXPECT_THAT(Two({{"mirostat", 1.0}, {"temperature_last", 1.0}}),
              HasSubstr("exllamav2.mirostat is 1; it must be false with temperature_last"));
  EXPECT_THAT(Two({{"temperature", 0.005}, {"temperature_last", 1.0}}),
              HasSubstr("it must be at least 0.01 with temperature_last"));
}

TEST(ExLlamaV2, OffValuesAndRefusals) {
  EXPECT_EQ(Two({{"min_p", 1.0}, {"tfs", 0.0}}), "bias | temperature 0.8 | top_k 50");
  EXPECT_EQ(Two({{"temperature", 0.0099}}), "bias | greedy");
  EXPECT_EQ(Two({{"token_repetition_penalty", 2.0}, {"token_repetition_range", 0.0}}),
            "bias | temperature 0.8 | top_k 50");
  EXPECT_THAT(Two({{"tfs", 0.5}, {"top_k", 0.0}}), HasSubstr("top_k must be in [1, 1024]"));
  EXPECT_THAT(Two({{"typical", 0.5}}), HasSubstr("measures p + ln p"));
  EXPECT_THAT(Two({{"xtc_probability", 0.5}}), HasSubstr("it must be 0: it tests the next token"));
  EXPECT_THAT(Two({{"skew", 0.5}}), HasSubstr("it bends the random number"));
}

TEST(ExLlamaV3, SaysWhichReleaseItsTopPFollows) {
  EXPECT_THAT((*DescribePreset("exllamav3"))->follows, HasSubstr("ExLlamaV3 1.4.1"));
  EXPECT_THAT(
      ExpandPreset("exllamav3", {{"top_p", 0.75}})->notes,
      Contains("top_p drops the token that crosses it, as ExLlamaV3 1.4.1 does; 1.6.5 keeps "
               "that token"));
  EXPECT_THAT(ExpandPreset("exllamav3", {})->notes, Not(Contains(HasSubstr("1.6.5"))));
}

TEST(ExLlamaV3, DropsTheTokenThatCrosses) {
  EXPECT_EQ(Shown("exllamav3", {{"temperature", 0.5},
                                {"min_p", 0.125},
                                {"top_k", 9.0},
                                {"top_p", 0.75},
                                {"rep_p", 1.5},
                                {"pres_p", 0.5},
                                {"freq_p", 0.25}}),
            "bias | repetition 1.5 all | presence 0.5 all | frequency 0.25 all | temperature 0.5 | "
            "min_p 0.125 | top_k 9 whole | top_p 0.75 within whole");
}

TEST(ExLlamaV3, Edges) {
  EXPECT_EQ(Shown("exllamav3", {}), "bias");
  EXPECT_EQ(Shown("exllamav3", {{"temperature", 0.8}, {"min_p", 0.08}, {"temp_last", 1.0}}),
            "bias | min_p 0.08 | temperature 0.8");
  for (const char* zero : {"temperature", "top_p"}) {
    EXPECT_EQ(Shown("exllamav3", {{zero, 0.0}}), "bias | greedy");
  }
  EXPECT_EQ(Shown("exllamav3", {{"top_k", 1.0}}), "bias | greedy");
  EXPECT_EQ(Shown("exllamav3", {{"temperature", 1e-6}}), "bias | temperature 1e-06");
  EXPECT_EQ(Shown("exllamav3", {{"adaptive_target", 0.5}}), "bias | adaptive 0.5 0.9");
  EXPECT_THAT(Shown("exllamav3", {{"rep_decay_range", 5.0}}), HasSubstr("fade with distance"));
}

TEST(OpenAi, Order) {
  EXPECT_EQ(Shown("openai", {{"temperature", 0.5},
                             {"top_p", 0.75},
                             {"frequency_penalty", 0.25},
                             {"presence_penalty", 0.5}}),
            "bias | frequency 0.25 output | presence 0.5 output | temperature 0.5 | top_p 0.75");
  EXPECT_EQ(Shown("openai", {{"temperature", 2.5}}),
            "openai.temperature is 2.5; it must be in [0, 2]");
}

TEST(NumpyDescending, IsTheSortedPrefix) {
  EXPECT_EQ(Shown("numpy-descending", {{"temperature", 0.5}, {"top_k", 4.0}, {"top_p", 0.75}}),
            "temperature 0.5 | top_k 4 | top_p 0.75");
  EXPECT_TRUE(ExpandPreset("numpy-descending", {{"temperature", 0.0}})->greedy);
}

TEST(Native, Order) {
  EXPECT_EQ(Shown("tessera", {{"repetition_penalty", 1.5}, {"temperature", 0.5}, {"top_k", 4.0}}),
            "bias | repetition 1.5 all | temperature 0.5 | top_k 4");
  EXPECT_EQ(Shown("tessera", {{"xtc_probability", 0.5}, {"typical_p", 0.25}}),
            "bias | typical 0.25 | xtc 0.5 0.1");
}

TEST(TrtMc, GreedyByDefaultOrByZero) {
  EXPECT_EQ(Shown("trtmc", {}), "greedy");
  EXPECT_EQ(Shown("trtmc", {{"temperature", -0.5}, {"top_k", 5.0}}), "greedy");
  EXPECT_EQ(Shown("trtmc", {{"top_p", 0.0}, {"top_k", 5.0}}), "greedy");
}

TEST(TrtMc, CandidatesThenTemperatureThenNucleus) {
  EXPECT_EQ(Shown("trtmc", {{"top_k", 5.0}, {"temperature", 0.5}, {"top_p", 0.75}, {"min_p", 0.1}}),
            "top_k 5 | temperature 0.5 | top_p 0.75 | min_p 0.1 | draw sorted xorshift64");
  EXPECT_EQ(Shown("trtmc", {{"top_p", 0.75}}), "top_p 0.75 | draw sorted xorshift64");
  EXPECT_EQ(Shown("trtmc", {{"top_k", 0.0}, {"top_p", 1.5}}), "draw sorted xorshift64");
  EXPECT_EQ(Shown("trtmc", {{"temperature", 0.5}}),
            "top_k 1 | temperature 0.5 | draw sorted xorshift64");
}

}  // namespace
}  // namespace tessera::testing

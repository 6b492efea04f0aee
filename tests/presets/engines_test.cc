// transformers, SGLang, TensorRT-LLM, TGI and MLC: parameters in, chain out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/presets/shown_chain.h"

namespace tessera::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(HfTransformers, SamplesOnlyWithDoSample) {
  EXPECT_EQ(Shown("hf-transformers", {{"temperature", 0.7}}), "bias | greedy");
  EXPECT_EQ(Shown("hf-transformers", {{"do_sample", 1.0}}), "bias | top_k 50 whole");
  EXPECT_EQ(Shown("hf-transformers", {{"do_sample", 1.0}, {"top_k", 0.0}}), "bias");
}

TEST(HfTransformers, Order) {
  EXPECT_EQ(Shown("hf-transformers", {{"do_sample", "true"},
                                      {"temperature", 2.0},
                                      {"top_k", 9.0},
                                      {"top_p", 0.75},
                                      {"min_p", 0.125},
                                      {"typical_p", 0.5},
                                      {"epsilon_cutoff", 0.25},
                                      {"eta_cutoff", 0.125},
                                      {"repetition_penalty", 1.5},
                                      {"encoder_repetition_penalty", 2.0},
                                      {"no_repeat_ngram_size", 3.0},
                                      {"guidance_scale", 1.5},
                                      {"bad_words_ids", "4,5;6"},
                                      {"sequence_bias", "1,2=-0.5;3=-inf"}}),
            "guidance 1.5 | bias | sequence_bias 1,2=-0.5 3=-inf | repetition 0.5 prompt | "
            "repetition 1.5 all | no_repeat_ngram 3 all | bad_words 4,5 6 all | temperature 2 | "
            "top_k 9 whole | top_p 0.75 | min_p 0.125 | typical 0.5 | epsilon 0.25 | eta 0.125");
}

TEST(HfTransformers, Edges) {
  const PresetParameters zero = {{"do_sample", 1.0}, {"top_k", 0.0}, {"top_p", 0.0}};
  EXPECT_EQ(Shown("hf-transformers", zero), "bias | top_p 0");
  EXPECT_THAT(Shown("hf-transformers", {{"do_sample", 1.0}, {"temperature", 0.0}}),
              HasSubstr("hf-transformers.temperature is 0; it must be in [2^-100, 2^100]"));
  EXPECT_THAT(Shown("hf-transformers", {{"watermarking_config", "x"}}),
              HasSubstr("follows truncation, where an edit cannot stand"));
  EXPECT_THAT(Shown("hf-transformers", {{"min_length", 3.0}}),
              HasSubstr("SampleRow.min_tokens less the prompt's length"));
}

const PresetParameters kSglang = {{"temperature", 0.5},
                                  {"top_k", 40.0},
                                  {"top_p", 0.75},
                                  {"repetition_penalty", 1.5},
                                  {"frequency_penalty", 0.25},
                                  {"presence_penalty", 0.5}};
constexpr char kSglangEdits[] =
    "frequency 0.25 output | presence 0.5 output | repetition 1.5 output | bias | temperature 0.5";

// transformers 5.19 asks whether the sequence's prefix fits into the context, earlier releases
// whether the sequence does. tests/stages/sequence_bias_test.cc has the rule itself.
TEST(HfTransformers, SaysThatASequenceAsLongAsTheContextCounts) {
  for (const char* name : {"sequence_bias", "bad_words_ids"}) {
    const bool biased = name == std::string("sequence_bias");
    EXPECT_THAT(ExpandPreset("hf-transformers", {{name, biased ? "1,2=1" : "1,2"}})->notes,
                Contains(HasSubstr("continues the whole context counts, as in transformers 5.19")));
  }
  EXPECT_THAT(ExpandPreset("hf-transformers", {})->notes, Not(Contains(HasSubstr("context"))));
}

TEST(Sglang, AdditivePenaltiesComeFirstAndTheBiasLast) {
  EXPECT_EQ(Shown("sglang-flashinfer", kSglang),
            absl::StrCat(kSglangEdits, " | top_k 40 whole | top_p 0.75 joint whole"));
  EXPECT_EQ(Shown("sglang-pytorch", kSglang),
            absl::StrCat(kSglangEdits, " | top_k 40 | top_p 0.75 joint exceed"));
}

TEST(Sglang, MinPMakesFlashInferSequential) {
  PresetParameters parameters = kSglang;
  parameters["min_p"] = 0.125;
  EXPECT_EQ(Shown("sglang-flashinfer", parameters),
            absl::StrCat(kSglangEdits, " | top_k 40 whole | top_p 0.75 whole | min_p 0.125"));
  EXPECT_EQ(Shown("sglang-pytorch", parameters),
            absl::StrCat(kSglangEdits, " | top_k 40 | top_p 0.75 joint exceed | min_p 0.125"));
}

TEST(Sglang, Edges) {
  EXPECT_EQ(Shown("sglang-flashinfer", {{"temperature", 9.9e-7}}), "bias | greedy");
  EXPECT_EQ(Shown("sglang-flashinfer", {{"temperature", 1e-6}}), "bias | temperature 1e-06");
  EXPECT_EQ(Shown("sglang-flashinfer", {{"top_k", -1.0}}), "bias");
  EXPECT_EQ(Shown("sglang-pytorch", {{"top_p", 0.0}}),
            "sglang-pytorch.top_p is 0; it must be in (0, 1]");
  EXPECT_EQ(Shown("sglang-pytorch", {{"repetition_penalty", 0.0}}),
            "sglang-pytorch.repetition_penalty is 0; it must be in (0, 2]");
}

TEST(TrtLlm, GreedyUnlessSomethingIsSet) {
  EXPECT_EQ(Shown("trtllm-torch", {}), "bias | greedy");
  EXPECT_EQ(Shown("trtllm-torch", {{"temperature", 1.0}}), "bias");
  for (const PresetParameters& greedy :
       {PresetParameters{{"temperature", 0.0}}, PresetParameters{{"top_k", 1.0}},
        PresetParameters{{"top_p", 0.0}}}) {
    EXPECT_EQ(Shown("trtllm-flashinfer", greedy), "bias | greedy");
  }
}

TEST(TrtLlm, TiesBoundaryAndSmallTemperatures) {
  const PresetParameters parameters = {{"temperature", 1e-7}, {"top_k", 5.0}, {"top_p", 0.75}};
  EXPECT_EQ(Shown("trtllm-torch", parameters),
            "bias | temperature 1e-05 | top_k 5 whole | top_p 0.75 exceed");
  EXPECT_EQ(Shown("trtllm-flashinfer", parameters),
            "bias | temperature 1e-05 | top_k 5 whole | top_p 0.75 whole");
  EXPECT_EQ(Shown("trtllm-torch", {{"min_p", 0.1}}),
            "trtllm-torch.min_p is 0.1; it must be 0: the PyTorch flow's rule for it has not been "
            "established");
}

TEST(TrtLlmCpp, TemperatureComesBeforeThePenalties) {
  EXPECT_EQ(Shown("trtllm-cpp", {{"temperature", 0.5},
                                 {"top_k", 2000.0},
                                 {"top_p", 0.75},
                                 {"repetition_penalty", 1.5},
                                 {"presence_penalty", 0.5},
                                 {"frequency_penalty", 0.25}}),
            "bias | temperature 0.500001 | repetition 1.5 all | presence 0.5 all | "
            "frequency 0.25 all | top_k 1024 | top_p 0.75 partial");
}

TEST(TrtLlmCpp, Edges) {
  EXPECT_EQ(Shown("trtllm-cpp", {}), "bias | greedy");
  EXPECT_EQ(Shown("trtllm-cpp", {{"top_k", 1.0}, {"top_p", 0.5}}), "bias | greedy");
  EXPECT_EQ(Shown("trtllm-cpp", {{"top_k", 7.0}}), "bias | top_k 7");
  EXPECT_EQ(Shown("trtllm-cpp", {{"top_p", 1.0}}), "bias");
  EXPECT_EQ(Shown("trtllm-cpp", {{"top_p", 1.0}, {"temperature", 0.0}}),
            "bias | temperature 1e-06");
  EXPECT_EQ(Shown("trtllm-cpp", {{"top_p", 1.0}, {"temperature", 1 + 1e-10}}), "bias");
}

TEST(Tgi, GreedyUnlessAWarperIsSet) {
  EXPECT_EQ(Shown("tgi", {}), "greedy");
  EXPECT_EQ(Shown("tgi", {{"repetition_penalty", 1.5}}), "repetition 1.5 all | greedy");
  EXPECT_EQ(Shown("tgi", {{"do_sample", 1.0}}), "");
  EXPECT_EQ(Shown("tgi", {{"typical_p", 0.5}}), "typical 0.5");
}

// The API refuses them: there, off is what was left out. The chooser behind it reads them as off.
TEST(Tgi, TakesItsOwnDefaults) {
  EXPECT_EQ(Shown("tgi", {{"top_p", 1.0}, {"top_k", 0.0}, {"typical_p", 1.0}}), "greedy");
  EXPECT_EQ(Shown("tgi", {{"top_p", 1.0}, {"top_k", 5.0}, {"typical_p", 1.0}}), "top_k 5 whole");
}

TEST(Tgi, Order) {
  EXPECT_EQ(
      Shown("tgi", {{"temperature", 0.5}, {"top_k", 4.0}, {"top_p", 0.75}, {"typical_p", 0.5}}),
      "temperature 0.5 | top_k 4 whole | top_p 0.75 | typical 0.5");
  const ExpandedPreset expanded = *ExpandPreset("tgi", {{"top_p", 0.8}});
  EXPECT_EQ(std::get<TopP>(expanded.chain.stages[3]).p, 1 - static_cast<double>(1.0f - 0.8f));
}

TEST(Tgi, Validation) {
  EXPECT_EQ(Shown("tgi", {{"top_p", 0.0}}), "tgi.top_p is 0; it must be in (0, 1]");
  EXPECT_EQ(Shown("tgi", {{"top_k", -1.0}}),
            "tgi.top_k is -1; it must be an integer of at least 0");
  EXPECT_THAT(Shown("tgi", {{"temperature", 0.0}}), HasSubstr("tgi.temperature is 0; it must be"));
  EXPECT_THAT(Shown("tgi", {{"frequency_penalty", 0.5}}), HasSubstr("count over length"));
}

TEST(Mlc, AdditivePenaltiesComeFirst) {
  const PresetParameters parameters = {{"temperature", 0.5},
                                       {"repetition_penalty", 1.5},
                                       {"presence_penalty", 0.5},
                                       {"frequency_penalty", 0.25}};
  const std::string edits =
      "bias | presence 0.5 output | frequency 0.25 output | repetition 1.5 output | temperature "
      "0.5";
  EXPECT_EQ(Shown("mlc-cpu", parameters), edits + " | draw by id mt19937");
  EXPECT_EQ(Shown("mlc-renorm", parameters), edits);
}

TEST(Mlc, TheCpuSamplersNucleusIsRefused) {
  EXPECT_THAT(Shown("mlc-cpu", {{"top_p", 0.8}}),
              HasSubstr("mlc-cpu.top_p is 0.8; it must be 0, or at least 1 - 1e-5: in between"));
  EXPECT_EQ(Shown("mlc-cpu", {{"top_p", 0.999995}}), "bias | draw by id mt19937");
  EXPECT_EQ(Shown("mlc-cpu", {{"top_p", 0.0}}), "bias | greedy");
}

TEST(Mlc, RenormTakesItsSlackOffAndKeepsTies) {
  EXPECT_EQ(Shown("mlc-renorm", {{"top_p", 0.5}}), "bias | top_p 0.49999 whole");
  EXPECT_EQ(Shown("mlc-renorm", {{"top_p", 5e-6}}), "bias | top_p 0 whole");
  EXPECT_EQ(Shown("mlc-renorm", {{"temperature", 1e-5}}), "bias | greedy");
}

}  // namespace
}  // namespace tessera::testing

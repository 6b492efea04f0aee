// Each stage's message becomes its data: every field is carried over, what is left out has the
// documented default, a forgotten number and an unknown enum value are refused by name.
#include "service/decode_stage.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/text_format.h"

namespace tessera {
namespace {

v1::SamplerStage FromText(const std::string& text) {
  v1::SamplerStage stage;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &stage)) << text;
  return stage;
}

// The data of a stage written as text.
template <typename S>
S Read(const std::string& text) {
  const absl::StatusOr<Stage> stage = DecodeStage(0, FromText(text));
  EXPECT_TRUE(stage.ok()) << stage.status();
  if (!stage.ok() || !std::holds_alternative<S>(*stage)) {
    ADD_FAILURE() << text << " became another stage";
    return S();
  }
  return std::get<S>(*stage);
}

TEST(DecodeStage, Truncations) {
  EXPECT_EQ(Read<Temperature>("temperature { t: 0.5 }").t, 0.5);
  EXPECT_EQ(Read<TopK>("top_k { k: 5 }").k, 5);
  EXPECT_EQ(Read<TopK>("top_k { k: 5 }").ties, Ties::kSplit);
  EXPECT_EQ(Read<TopK>("top_k { k: 5 ties: TIES_WHOLE }").ties, Ties::kWhole);
  EXPECT_EQ(Read<MinP>("min_p { m: 0.25 }").m, 0.25);
  EXPECT_EQ(Read<TopA>("top_a { a: 0.25 }").a, 0.25);
  EXPECT_EQ(Read<EpsilonCutoff>("epsilon_cutoff { epsilon: 0.25 }").epsilon, 0.25);
  EXPECT_EQ(Read<EtaCutoff>("eta_cutoff { epsilon: 0.25 }").epsilon, 0.25);
  EXPECT_EQ(Read<TopNSigma>("top_n_sigma { n: 1.5 }").n, 1.5);
  EXPECT_EQ(Read<TailFree>("tail_free { z: 0.25 }").z, 0.25);
  const Xtc xtc = Read<Xtc>("xtc { probability: 0.5 threshold: 0.25 }");
  EXPECT_EQ(xtc.probability, 0.5);
  EXPECT_EQ(xtc.threshold, 0.25);
}

TEST(DecodeStage, NucleusAndItsRules) {
  const TopP plain = Read<TopP>("top_p { p: 0.9 }");
  EXPECT_EQ(plain.p, 0.9);
  EXPECT_FALSE(plain.joint || plain.partial);
  EXPECT_EQ(plain.boundary, Boundary::kReach);
  EXPECT_EQ(plain.ties, Ties::kSplit);
  const TopP ruled = Read<TopP>(
      "top_p { p: 0.9 joint: true boundary: BOUNDARY_EXCEED ties: TIES_WHOLE partial: true }");
  EXPECT_TRUE(ruled.joint && ruled.partial);
  EXPECT_EQ(ruled.boundary, Boundary::kExceed);
  EXPECT_EQ(ruled.ties, Ties::kWhole);
  EXPECT_EQ(Read<TopP>("top_p { p: 1 boundary: BOUNDARY_WITHIN }").boundary, Boundary::kWithin);
  EXPECT_EQ(Read<TopP>("top_p { p: 1 boundary: BOUNDARY_REACH }").boundary, Boundary::kReach);
  EXPECT_EQ(Read<TypicalP>("typical_p { p: 0.9 }").boundary, Boundary::kReach);
  EXPECT_EQ(Read<TypicalP>("typical_p { p: 0.9 boundary: BOUNDARY_EXCEED }").boundary,
            Boundary::kExceed);
}

TEST(DecodeStage, RewritingStagesAndTheDraw) {
  const auto dynamic = Read<DynamicTemperature>("dynamic_temperature { low: 0.5 high: 1.5 }");
  EXPECT_EQ(dynamic.low, 0.5);
  EXPECT_EQ(dynamic.high, 1.5);
  EXPECT_EQ(dynamic.exponent, 1);
  EXPECT_EQ(Read<DynamicTemperature>("dynamic_temperature { low: 1 high: 2 exponent: 3 }").exponent,
            3);
  EXPECT_EQ(Read<Smoothing>("smoothing { factor: 0.25 }").curve, 1);
  EXPECT_EQ(Read<Smoothing>("smoothing { factor: 0.25 curve: 2 }").curve, 2);
  EXPECT_EQ(Read<Smoothing>("smoothing { factor: 0.25 }").factor, 0.25);
  EXPECT_EQ(Read<MirostatV1>("mirostat_v1 { tau: 4 eta: 0.5 }").tau, 4);
  EXPECT_EQ(Read<MirostatV2>("mirostat_v2 { tau: 4 eta: 0.5 }").eta, 0.5);
  EXPECT_EQ(Read<AdaptiveP>("adaptive_p { target: 0.25 decay: 0.75 }").target, 0.25);
  EXPECT_EQ(Read<AdaptiveP>("adaptive_p { target: 0.25 decay: 0.75 }").decay, 0.75);
  EXPECT_EQ(Read<DrawRule>("draw_rule { }").order, DrawOrder::kId);
  EXPECT_EQ(Read<DrawRule>("draw_rule { }").generator, Generator::kPhilox);
  const DrawRule rule =
      Read<DrawRule>("draw_rule { order: DRAW_ORDER_SORTED generator: GENERATOR_MT19937 }");
  EXPECT_EQ(rule.order, DrawOrder::kSorted);
  EXPECT_EQ(rule.generator, Generator::kMt19937);
  EXPECT_EQ(Read<DrawRule>("draw_rule { generator: GENERATOR_XORSHIFT64 }").generator,
            Generator::kXorshift64);
}

TEST(DecodeStage, EditsByIdAndByCount) {
  EXPECT_EQ(Read<RepetitionPenalty>("repetition_penalty { penalty: 2 }").scope,
            PenaltyScope::kPromptAndOutput);
  EXPECT_EQ(Read<FrequencyPenalty>("frequency_penalty { penalty: 2 }").scope,
            PenaltyScope::kOutput);
  const auto presence =
      Read<PresencePenalty>("presence_penalty { penalty: 2 scope: PENALTY_SCOPE_PROMPT }");
  EXPECT_EQ(presence.penalty, 2);
  EXPECT_EQ(presence.scope, PenaltyScope::kPrompt);
  EXPECT_EQ(Read<Guidance>("guidance { scale: 1.5 }").scale, 1.5);
}

TEST(DecodeStage, EditsBySequences) {
  const Dry plain = Read<Dry>("dry { multiplier: 0.75 }");
  EXPECT_EQ(plain.multiplier, 0.75);
  EXPECT_EQ(plain.base, 1.75);
  EXPECT_EQ(plain.allowed_length, 2u);
  EXPECT_EQ(plain.last_n, -1);
  EXPECT_TRUE(plain.breakers.empty());
  const Dry full = Read<Dry>(
      "dry { multiplier: 1 base: 2 allowed_length: 3 last_n: 64 breakers { ids: [13, 14] } "
      "breakers { ids: 7 } }");
  EXPECT_EQ(full.base, 2);
  EXPECT_EQ(full.allowed_length, 3u);
  EXPECT_EQ(full.last_n, 64);
  EXPECT_EQ(full.breakers, (std::vector<TokenSequence>{{13, 14}, {7}}));
  const auto ngram = Read<NoRepeatNgram>("no_repeat_ngram { n: 3 }");
  EXPECT_EQ(ngram.n, 3u);
  EXPECT_EQ(ngram.scope, HistoryScope::kPromptAndOutput);
  EXPECT_EQ(Read<NoRepeatNgram>("no_repeat_ngram { n: 3 scope: PENALTY_SCOPE_OUTPUT }").scope,
            HistoryScope::kOutput);
  EXPECT_EQ(Read<BadWords>("bad_words { words { ids: [1, 2] } }").words,
            (std::vector<TokenSequence>{{1, 2}}));
  EXPECT_EQ(Read<BadWords>("bad_words { }").scope, HistoryScope::kOutput);
  EXPECT_EQ(Read<BadWords>("bad_words { scope: PENALTY_SCOPE_PROMPT_AND_OUTPUT }").scope,
            HistoryScope::kPromptAndOutput);
  const auto biased = Read<SequenceBias>("sequence_bias { sequences { ids: [1, 2] bias: -2 } }");
  ASSERT_EQ(biased.sequences.size(), 1u);
  EXPECT_EQ(biased.sequences[0].ids, (TokenSequence{1, 2}));
  EXPECT_EQ(biased.sequences[0].bias, -2);
  const auto mark = Read<Watermark>(
      "watermark { gamma: 0.5 delta: 3 key: 18446744073709551615 context_width: 4 }");
  EXPECT_EQ(mark.gamma, 0.5);
  EXPECT_EQ(mark.delta, 3);
  EXPECT_EQ(mark.key, 18446744073709551615u);
  EXPECT_EQ(mark.context_width, 4u);
  EXPECT_EQ(Read<Watermark>("watermark { gamma: 0.5 delta: 3 key: 1 }").context_width, 1u);
}

// What is wrong on the wire, and what is said of it.
const struct {
  const char* stage;
  const char* message;
} kBad[] = {
    {"repetition_penalty { }", "repetition_penalty.penalty is absent; it is required"},
    {"frequency_penalty { }", "frequency_penalty.penalty is absent; it is required"},
    {"presence_penalty { }", "presence_penalty.penalty is absent; it is required"},
    {"temperature { }", "temperature.t is absent; it is required"},
    {"top_k { }", "top_k.k is absent; it is required"},
    {"top_p { }", "top_p.p is absent; it is required"},
    {"min_p { }", "min_p.m is absent; it is required"},
    {"top_a { }", "top_a.a is absent; it is required"},
    {"epsilon_cutoff { }", "epsilon_cutoff.epsilon is absent; it is required"},
    {"eta_cutoff { }", "eta_cutoff.epsilon is absent; it is required"},
    {"typical_p { }", "typical_p.p is absent; it is required"},
    {"top_n_sigma { }", "top_n_sigma.n is absent; it is required"},
    {"tail_free { }", "tail_free.z is absent; it is required"},
    {"xtc { threshold: 0.1 }", "xtc.probability is absent; it is required"},
    {"xtc { probability: 0.1 }", "xtc.threshold is absent; it is required"},
    {"dynamic_temperature { high: 1 }", "dynamic_temperature.low is absent; it is required"},
    {"dynamic_temperature { low: 1 }", "dynamic_temperature.high is absent; it is required"},
    {"smoothing { curve: 1 }", "smoothing.factor is absent; it is required"},
    {"mirostat_v1 { eta: 1 }", "mirostat_v1.tau is absent; it is required"},
    {"mirostat_v1 { tau: 1 }", "mirostat_v1.eta is absent; it is required"},
    {"mirostat_v2 { eta: 1 }", "mirostat_v2.tau is absent; it is required"},
    {"mirostat_v2 { tau: 1 }", "mirostat_v2.eta is absent; it is required"},
    {"adaptive_p { decay: 0 }", "adaptive_p.target is absent; it is required"},
    {"adaptive_p { target: 0 }", "adaptive_p.decay is absent; it is required"},
    {"dry { base: 2 }", "dry.multiplier is absent; it is required"},
    {"no_repeat_ngram { }", "no_repeat_ngram.n is absent; it is required"},
    {"sequence_bias { sequences { ids: 1 bias: 0 } sequences { ids: 1 } }",
     "sequence_bias.sequences[1].bias is absent; it is required"},
    {"watermark { delta: 1 key: 1 }", "watermark.gamma is absent; it is required"},
    {"watermark { gamma: 0.5 key: 1 }", "watermark.delta is absent; it is required"},
    {"watermark { gamma: 0.5 delta: 1 }", "watermark.key is absent; it is required"},
    {"guidance { }", "guidance.scale is absent; it is required"},

    {"top_k { k: 1 ties: 9 }", "top_k.ties is 9; it must be TIES_SPLIT or TIES_WHOLE"},
    {"top_p { p: 1 ties: -1 }", "top_p.ties is -1; it must be TIES_SPLIT or TIES_WHOLE"},
    {"top_p { p: 1 boundary: 4 }",
     "top_p.boundary is 4; it must be BOUNDARY_REACH, BOUNDARY_EXCEED or BOUNDARY_WITHIN"},
    {"typical_p { p: 1 boundary: BOUNDARY_WITHIN }",
     "typical_p.boundary is BOUNDARY_WITHIN; it must be BOUNDARY_REACH or BOUNDARY_EXCEED"},
    {"draw_rule { order: 3 }",
     "draw_rule.order is 3; it must be DRAW_ORDER_ID or DRAW_ORDER_SORTED"},
    {"draw_rule { generator: 4 }",
     "draw_rule.generator is 4; it must be GENERATOR_PHILOX, GENERATOR_MT19937 or "
     "GENERATOR_XORSHIFT64"},
    {"presence_penalty { penalty: 1 scope: 8 }",
     "presence_penalty.scope is 8; it must be PENALTY_SCOPE_PROMPT_AND_OUTPUT, "
     "PENALTY_SCOPE_OUTPUT or PENALTY_SCOPE_PROMPT"},
    {"no_repeat_ngram { n: 1 scope: PENALTY_SCOPE_PROMPT }",
     "no_repeat_ngram.scope is PENALTY_SCOPE_PROMPT; it must be PENALTY_SCOPE_PROMPT_AND_OUTPUT or "
     "PENALTY_SCOPE_OUTPUT"},
    {"bad_words { scope: 4 }",
     "bad_words.scope is 4; it must be PENALTY_SCOPE_PROMPT_AND_OUTPUT or PENALTY_SCOPE_OUTPUT"},
};

TEST(DecodeStage, RefusesByName) {
  for (const auto& bad : kBad) {
    const absl::StatusOr<Stage> stage = DecodeStage(3, FromText(bad.stage));
    EXPECT_EQ(stage.status().code(), absl::StatusCode::kInvalidArgument) << bad.stage;
    EXPECT_EQ(stage.status().message(), absl::StrCat("stages[3].", bad.message)) << bad.stage;
  }
}

// Of every stage of the proto but those that need nothing, the table above forgets a number.
TEST(DecodeStage, EveryStageIsInTheTableOfForgottenNumbers) {
  const std::set<std::string> need_nothing = {"logit_bias", "greedy", "bad_words", "draw_rule"};
  const auto* stages = v1::SamplerStage::descriptor()->FindOneofByName("stage");
  for (int i = 0; i < stages->field_count(); ++i) {
    const std::string& name = stages->field(i)->name();
    bool forgotten = false;
    for (const auto& bad : kBad) {
      forgotten |= absl::StartsWith(bad.stage, name + " {") &&
                   absl::EndsWith(bad.message, "is absent; it is required");
    }
    EXPECT_EQ(forgotten, need_nothing.count(name) == 0) << name;
  }
}

}  // namespace
}  // namespace tessera
